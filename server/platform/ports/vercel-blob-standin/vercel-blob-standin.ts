import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What tests read and break. */
export interface VercelBlobStandin {
  /** For VERCEL_BLOB_API_URL. */
  readonly apiUrl: string;
  readonly token: string;
  readonly blobs: Map<string, Buffer>;
  /** Answers every question with 503 while it is set. */
  down: boolean;
  /** Answers ranges with the whole while it is set. */
  ignoresRanges: boolean;
  /** How many parts of multipart uploads came. */
  parts: number;
  close(): void;
}

interface PendingUpload {
  pathname: string;
  parts: Map<number, { etag: string; bytes: Buffer }>;
}

/** Refuses with a code of the API, which the SDK turns into its errors. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/**
 * The API of a private Vercel Blob store as SDK 2.8 asks it, on loopback: put, multipart, head, list, delete, and the
 * bytes with ranges. Keeps everything in memory. For tests.
 */
export async function startVercelBlobStandin(): Promise<VercelBlobStandin> {
  const blobs = new Map<string, Buffer>();
  const pending = new Map<string, PendingUpload>();
  const token = 'vercel_blob_rw_standin_secret';
  const server = createServer(
    // A busy test process must not close a connection that a request is on.
    { keepAliveTimeout: 0 },
    (req, res) => {
      answer(req, res).catch((error: unknown) => {
        const refused = error instanceof Refused ? error : new Refused(500, 'internal_server_error');
        sendJson(res, refused.status, { error: { code: refused.code, message: refused.code } });
      });
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standin: VercelBlobStandin = {
    apiUrl: `${origin}/api`,
    token,
    blobs,
    down: false,
    ignoresRanges: false,
    parts: 0,
    close: () => close(server),
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readAll(req);
    if (standin.down) throw new Refused(503, 'service_unavailable');
    if (req.headers.authorization !== `Bearer ${token}`) throw new Refused(403, 'forbidden');
    const url = new URL(req.url ?? '/', origin);
    if (url.pathname.startsWith('/blob/')) return sendBlob(req, res, url.pathname.slice('/blob/'.length));
    sendJson(res, 200, ask(req, url, body));
  }

  function ask(req: IncomingMessage, url: URL, body: Buffer): object {
    const route = `${req.method} ${url.pathname.replace(/\/$/, '')}`;
    if (route === 'PUT /api') return store(readPathname(req, url), body);
    if (route === 'POST /api/mpu') return multipart(req, readPathname(req, url), body);
    if (route === 'POST /api/delete') {
      for (const key of (JSON.parse(body.toString()) as { urls: string[] }).urls) blobs.delete(key);
      return {};
    }
    if (route === 'GET /api') {
      const key = url.searchParams.get('url');
      return key === null ? listed(url.searchParams) : describe(key);
    }
    throw new Refused(404, 'not_found');
  }

  function store(pathname: string, bytes: Buffer): object {
    blobs.set(pathname, bytes);
    return describe(pathname);
  }

  function describe(pathname: string): object {
    const bytes = blobs.get(pathname);
    if (!bytes) throw new Refused(404, 'not_found');
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

  function multipart(req: IncomingMessage, pathname: string, body: Buffer): object {
    const action = req.headers['x-mpu-action'];
    if (action === 'create') {
      const uploadId = `upload-${pending.size + 1}`;
      pending.set(uploadId, { pathname, parts: new Map() });
      return { key: pathname, uploadId };
    }
    const upload = pending.get(String(req.headers['x-mpu-upload-id']));
    if (upload?.pathname !== pathname) throw new Refused(400, 'bad_request');
    if (action === 'upload') {
      const number = Number(req.headers['x-mpu-part-number']);
      const etag = `"part-${number}-${body.length}"`;
      upload.parts.set(number, { etag, bytes: body });
      standin.parts++;
      return { etag };
    }
    const wanted = JSON.parse(body.toString()) as { partNumber: number; etag: string }[];
    const parts = wanted.map(({ partNumber, etag }) => {
      const part = upload.parts.get(partNumber);
      if (part?.etag !== etag) throw new Refused(400, 'bad_request');
      return part.bytes;
    });
    return store(pathname, Buffer.concat(parts));
  }

  function listed(query: URLSearchParams): object {
    const after = query.get('cursor') ?? '';
    const limit = Number(query.get('limit') ?? 1000);
    const keys = [...blobs.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, limit);
    return { blobs: page.map(describe), hasMore: keys.length > limit, cursor: page.at(-1) };
  }

  function sendBlob(req: IncomingMessage, res: ServerResponse, key: string): void {
    const bytes = blobs.get(key);
    if (!bytes) throw new Refused(404, 'not_found');
    const range = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '');
    if (!range || standin.ignoresRanges) {
      res.writeHead(200, { 'Content-Length': bytes.length }).end(bytes);
      return;
    }
    const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    const contentRange = `bytes ${range[1]}-${range[2]}/${bytes.length}`;
    res.writeHead(206, { 'Content-Length': part.length, 'Content-Range': contentRange }).end(part);
  }

  return standin;
}

/** The SDK sends what is written as private: anything else would be readable by whoever guesses the address. */
function readPathname(req: IncomingMessage, url: URL): string {
  const pathname = url.searchParams.get('pathname');
  if (!pathname || req.headers['x-vercel-blob-access'] !== 'private') throw new Refused(400, 'bad_request');
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
