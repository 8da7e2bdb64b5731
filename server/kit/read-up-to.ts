import { BufferedResponse } from './buffered-response';

/** Reads at most the first `maxBytes` of a body and does not download the rest. */
export async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const whole = response instanceof BufferedResponse ? response.takeBytes() : null;
  if (whole) return whole.subarray(0, maxBytes);
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array();
  for (let size = 0; size < maxBytes; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel().catch(() => undefined);
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
