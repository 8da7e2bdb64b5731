import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running fake; tests read and set its fields. */
export interface FakeVercelBlob {
  /** The value for VERCEL_BLOB_API_URL. */
  readonly apiUrl: string;
  readonly token: string;
  readonly blobs: Map<string, Buffer>;
  /** Makes it respond 503 to all requests. */
  down: boolean;
  /** Makes it ignore the Range header. */
  ignoreRanges: boolean;
  /** The number of received parts of multipart uploads. */
  parts: number;
  close(): void;
}

interface PendingUpload {
  pathname: string;
  parts: Map<number, { etag: string; bytes: Buffer }>;
}

/** The state that all requests share. */
interface Store {
  fake: FakeVercelBlob;
  origin: string;
  pending: Map<string, PendingUpload>;
}

/** An error response with a code of the API, which the SDK maps to its errors. */
class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/**
 * Starts a fake of a private Vercel Blob store on loopback, for tests with `@vercel/blob` 2.8: put,
 * multipart, head, list, delete, and downloads with ranges. Stores everything in memory.
 */
export async function startFakeVercelBlob(): Promise<FakeVercelBlob> {
  const server = createServer(
    // In a busy process the timeout could close a connection while a request arrives.
    { keepAliveTimeout: 0 },
    (req, res) => {
      respond(store, req, res).catch((error: unknown) => {
        const { status, code } =
          error instanceof ApiError ? error : new ApiError(500, 'internal_server_error');
        sendJson(res, status, { error: { code, message: code } });
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeVercelBlob = {
    apiUrl: `${origin}/api`,
    token: 'vercel_blob_rw_fake_secret',
    blobs: new Map(),
    down: false,
    ignoreRanges: false,
    parts: 0,
    close: () => close(server),
  };
  const store: Store = { fake, origin, pending: new Map() };
  return fake;
}

async function respond(store: Store, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { fake, origin } = store;
  const body = await readAll(req);
  if (fake.down) throw new ApiError(503, 'service_unavailable');
  if (req.headers.authorization !== `Bearer ${fake.token}`) throw new ApiError(403, 'forbidden');
  const url = new URL(req.url ?? '/', origin);
  if (url.pathname.startsWith('/blob/')) return sendBlob(fake, req, res, url.pathname.slice('/blob/'.length));
  sendJson(res, 200, handleApi(store, req, url, body));
}

function handleApi(store: Store, req: IncomingMessage, url: URL, body: Buffer): object {
  const route = `${req.method} ${url.pathname.replace(/\/$/, '')}`;
  if (route === 'PUT /api') return storeBlob(store, readPathname(req, url), body);
  if (route === 'POST /api/mpu') return handleMultipart(store, req, readPathname(req, url), body);
  if (route === 'POST /api/delete') {
    for (const key of (JSON.parse(body.toString()) as { urls: string[] }).urls) store.fake.blobs.delete(key);
    return {};
  }
  if (route === 'GET /api') {
    const key = url.searchParams.get('url');
    return key === null ? listBlobs(store, url.searchParams) : describe(store, key);
  }
  throw new ApiError(404, 'not_found');
}

function storeBlob(store: Store, pathname: string, bytes: Buffer): object {
  store.fake.blobs.set(pathname, bytes);
  return describe(store, pathname);
}

function describe({ fake, origin }: Store, pathname: string): object {
  const bytes = fake.blobs.get(pathname);
  if (!bytes) throw new ApiError(404, 'not_found');
  const url = `${origin}/blob/${pathname}`;
  return {
    url,
    downloadUrl: `${url}?download=1`,
    pathname,
    size: bytes.length,
    contentType: 'application/octet-stream',
    contentDisposition: 'attachment',
    cacheControl: 'public, max-age=2592000',
    uploadedAt: '2026-11-21T09:30:00.000Z',
    etag: `"${bytes.length}"`,
  };
}

function handleMultipart(store: Store, req: IncomingMessage, pathname: string, body: Buffer): object {
  const { fake, pending } = store;
  const action = req.headers['x-mpu-action'];
  if (action === 'create') {
    const uploadId = `upload-${pending.size + 1}`;
    pending.set(uploadId, { pathname, parts: new Map() });
    return { key: pathname, uploadId };
  }
  const upload = pending.get(String(req.headers['x-mpu-upload-id']));
  if (upload?.pathname !== pathname) throw new ApiError(400, 'bad_request');
  if (action === 'upload') {
    const number = Number(req.headers['x-mpu-part-number']);
    const etag = `"part-${number}-${body.length}"`;
    upload.parts.set(number, { etag, bytes: body });
    fake.parts++;
    return { etag };
  }
  const wanted = JSON.parse(body.toString()) as { partNumber: number; etag: string }[];
  const parts = wanted.map(({ partNumber, etag }) => {
    const part = upload.parts.get(partNumber);
    if (part?.etag !== etag) throw new ApiError(400, 'bad_request');
    return part.bytes;
  });
  return storeBlob(store, pathname, Buffer.concat(parts));
}

function listBlobs(store: Store, query: URLSearchParams): object {
  const after = query.get('cursor') ?? '';
  const limit = Number(query.get('limit') ?? 1000);
  const keys = [...store.fake.blobs.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const page = keys.slice(0, limit);
  return {
    blobs: page.map((key) => describe(store, key)),
    hasMore: keys.length > limit,
    cursor: page.at(-1),
  };
}

function sendBlob(fake: FakeVercelBlob, req: IncomingMessage, res: ServerResponse, key: string): void {
  const bytes = fake.blobs.get(key);
  if (!bytes) throw new ApiError(404, 'not_found');
  const range = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '');
  if (!range || fake.ignoreRanges) {
    res.writeHead(200, { 'Content-Length': bytes.length }).end(bytes);
    return;
  }
  const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
  const contentRange = `bytes ${range[1]}-${range[2]}/${bytes.length}`;
  res.writeHead(206, { 'Content-Length': part.length, 'Content-Range': contentRange }).end(part);
}

/** Rejects public blobs: anyone who guesses their URL can read them. */
function readPathname(req: IncomingMessage, url: URL): string {
  const pathname = url.searchParams.get('pathname');
  if (!pathname || req.headers['x-vercel-blob-access'] !== 'private') throw new ApiError(400, 'bad_request');
  return pathname;
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}
