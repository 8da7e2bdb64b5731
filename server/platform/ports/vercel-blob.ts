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

/** The least that a part may have, but for the last. The SDK's own multipart keeps 16 of them in memory; here it is one. */
const PART_BYTES = 8 * 1024 * 1024;
/** One question to the API, or one part. */
const API_TIMEOUT_MS = 60_000;
/** Until the first byte of an answer; the others come as fast as they are read. */
const READ_TIMEOUT_MS = 30_000;
const PAGE = 1000;
/** The SDK would try ten times, over many minutes, while a client waits. */
const RETRIES = '2';

type Range = { start: number; end: number };

/**
 * Bytes in a private Vercel Blob store. Nobody is sent there: what they read goes through us, with our headers and limits.
 * Where its API is, `VERCEL_BLOB_API_URL` can say (the SDK reads it): for tests.
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
  /** Known once the API has named one address: all are made alike. */
  let origin: string | undefined;
  const addressOf = async (key: string): Promise<string | null> => {
    if (origin !== undefined) return origin + key;
    const found = await unlessMissing(head(key, options()));
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
      // A part is sent when the next has begun: what fits into one needs no multipart.
      for await (const part of inParts(bytes)) {
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
      const address = await addressOf(key);
      if (address === null) return null;
      const response = await fetchInTime(address, {
        authorization: `Bearer ${token}`,
        ...(range ? { range: `bytes=${range.start}-${range.end}` } : {}),
      });
      if (response.ok && response.body) {
        return range && response.status !== 206 ? partOf(response.body, range) : response.body;
      }
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw new Error(`The blob store answered ${response.status}`);
    },

    async delete(key) {
      await unlessMissing(del(key, options()));
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

async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BlobNotFoundError) return null;
    throw error;
  }
}

/** The whole is never in memory: one part, and what came beyond it. */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
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

/** Of a whole answer, where the store did not heed the range. */
async function* partOf(bytes: AsyncIterable<Uint8Array>, { start, end }: Range): AsyncIterable<Uint8Array> {
  let at = 0;
  for await (const chunk of bytes) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > end) return;
  }
}

async function fetchInTime(address: string, headers: Record<string, string>): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('The blob store does not answer')), READ_TIMEOUT_MS);
  try {
    return await fetch(address, { headers, signal: late.signal });
  } finally {
    clearTimeout(timer);
  }
}
