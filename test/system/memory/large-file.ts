import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const CHUNK_BYTES = 1024 * 1024;
/** A slow client: unread data must not accumulate in the gateway's memory. */
const PAUSE_EVERY_BYTES = 8 * CHUNK_BYTES;
const PAUSE_MS = 50;
const BOUNDARY = 'memory-test-boundary';

const Asset = z.object({ asset_id: z.string(), size_bytes: z.number() });

interface Uploaded {
  asset: z.infer<typeof Asset>;
  hash: string;
}

interface Downloaded {
  status: number;
  size: number;
  hash: string;
}

/** Uploads random bytes that are generated while they are sent. */
export async function uploadRandom(baseUrl: string, key: string, size: number): Promise<Uploaded> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const hash = createHash('sha256');
  const sent = request(`${baseUrl}/v1/assets/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + size + tail.length,
    },
  });
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', resolve);
  });
  // Awaited below, after the body is sent; until then a rejection must not be unhandled.
  responded.catch(() => undefined);
  sent.write(head);
  for (let left = size; left > 0; ) {
    const chunk = randomBytes(Math.min(left, CHUNK_BYTES));
    hash.update(chunk);
    left -= chunk.length;
    if (!sent.write(chunk)) await Promise.race([new Promise((done) => sent.once('drain', done)), responded]);
  }
  sent.end(tail);
  const response = await responded;
  let text = '';
  for await (const chunk of response) text += chunk;
  if (response.statusCode !== 200) throw new Error(`The upload returned ${response.statusCode}: ${text}`);
  return { asset: Asset.parse(JSON.parse(text)), hash: hash.digest('hex') };
}

/** Downloads with pauses. @param range value of the Range header */
export async function downloadSlowly(address: string, range?: string): Promise<Downloaded> {
  const response = await fetch(address, { headers: range ? { range } : {} });
  const hash = createHash('sha256');
  let size = 0;
  let pauseAt = PAUSE_EVERY_BYTES;
  for await (const chunk of response.body ?? []) {
    hash.update(chunk);
    size += chunk.byteLength;
    if (size < pauseAt) continue;
    pauseAt += PAUSE_EVERY_BYTES;
    await sleep(PAUSE_MS);
  }
  return { status: response.status, size, hash: hash.digest('hex') };
}
