import {
  BlobNotFoundError,
  completeMultipartUpload,
  createMultipartUpload,
  del,
  head,
  list,
  type Part,
  put,
  uploadPart,
} from '@vercel/blob';
import type { BlobStore } from './ports';

/** The minimum size of a part except the last. One part is in memory; the SDK would hold 16. */
const PART_BYTES = 8 * 1024 * 1024;
/** For one API request, or one part. */
const API_TIMEOUT_MS = 60_000;
/** Until the first byte of a response; the rest arrives as fast as it is read. */
const READ_TIMEOUT_MS = 30_000;
const PAGE = 1000;
/** By default the SDK would retry ten times, over minutes, while a client waits. */
const RETRIES = '2';

type Range = { start: number; end: number };

/**
 * Stores bytes in a private Vercel Blob store. Clients read through the gateway, with our headers
 * and limits. Tests set the SDK's `VERCEL_BLOB_API_URL`.
 */
export function createVercelBlobStore(token: string): BlobStore {
  process.env.VERCEL_BLOB_RETRIES ??= RETRIES;
  const options = () => ({ token, abortSignal: AbortSignal.timeout(API_TIMEOUT_MS) });
  const writing = (contentType: string) => ({
    ...options(),
    access: 'private' as const,
    addRandomSuffix: false,
    allowOverwrite: true,
    contentType,
  });
  /** Known once the API has returned one URL, because all have the same form. */
  let origin: string | undefined;
  const findUrl = async (key: string): Promise<string | null> => {
    if (origin !== undefined) return origin + key;
    const found = await orNull(head(key, options()));
    if (found?.url.endsWith(`/${key}`)) origin = found.url.slice(0, -key.length);
    return found?.url ?? null;
  };

  return {
    async put(key, bytes, contentType) {
      let sizeBytes = 0;
      let upload: { key: string; uploadId: string } | undefined;
      const parts: Part[] = [];
      const send = async (part: Buffer) => {
        upload ??= await createMultipartUpload(key, writing(contentType));
        const partNumber = parts.length + 1;
        parts.push(await uploadPart(key, part, { ...writing(contentType), ...upload, partNumber }));
      };
      let last: Buffer = Buffer.alloc(0);
      // A part is sent when the next one begins, so a value of one part needs no multipart upload.
      for await (const part of splitIntoParts(bytes)) {
        if (last.length > 0) await send(last);
        last = part;
        sizeBytes += part.length;
      }
      if (upload === undefined) await put(key, last, writing(contentType));
      else {
        await send(last);
        await completeMultipartUpload(key, parts, { ...writing(contentType), ...upload });
      }
      return { sizeBytes };
    },

    async read(key, range) {
      const address = await findUrl(key);
      if (address === null) return null;
      const response = await fetchWithTimeout(address, {
        authorization: `Bearer ${token}`,
        ...(range ? { range: `bytes=${range.start}-${range.end}` } : {}),
      });
      if (response.ok && response.body) {
        return range && response.status !== 206 ? cutRange(response.body, range) : response.body;
      }
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw new Error(`The blob store responded with status ${response.status}`);
    },

    async delete(key) {
      await orNull(del(key, options()));
    },

    async *list(prefix) {
      let cursor: string | undefined;
      do {
        const page = await list({ ...options(), prefix, limit: PAGE, ...(cursor ? { cursor } : {}) });
        for (const { pathname } of page.blobs) yield pathname;
        cursor = page.hasMore ? page.cursor : undefined;
      } while (cursor !== undefined);
    },
  };
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BlobNotFoundError) return null;
    throw error;
  }
}

/** Holds at most one part and the rest of a chunk in memory. */
async function* splitIntoParts(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size < PART_BYTES) continue;
    const whole = Buffer.concat(chunks);
    let at = 0;
    for (; whole.length - at >= PART_BYTES; at += PART_BYTES) yield whole.subarray(at, at + PART_BYTES);
    chunks = at < whole.length ? [whole.subarray(at)] : [];
    size = whole.length - at;
  }
  if (size > 0) yield Buffer.concat(chunks);
}

/** Cuts the range out of a full response, if the store ignored the Range header. */
async function* cutRange(bytes: AsyncIterable<Uint8Array>, { start, end }: Range): AsyncIterable<Uint8Array> {
  let at = 0;
  for await (const chunk of bytes) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > end) return;
  }
}

async function fetchWithTimeout(address: string, headers: Record<string, string>): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('The blob store does not respond')), READ_TIMEOUT_MS);
  try {
    return await fetch(address, { headers, signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}
