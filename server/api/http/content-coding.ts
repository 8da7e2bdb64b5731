import { promisify } from 'node:util';
import { constants, brotliCompress as zlibBrotli, gzip as zlibGzip } from 'node:zlib';

/** Content codings for responses, in order of preference. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Below this size, compression saves less than its headers cost. */
export const MIN_COMPRESSED_BYTES = 2_048;

/** Brotli quality for documents that are compressed once and sent many times. */
const PREPARED_BROTLI = 9;
/** Brotli quality at which it is as fast as gzip, for responses that are sent once. */
const DIRECT_BROTLI = 4;

const gzip = promisify(zlibGzip);
const brotli = promisify(zlibBrotli);

/**
 * Chooses the content coding of a response (RFC 9110 section 12.5.3); null means uncompressed. A
 * coding must be named by the client: `*` alone selects none.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  let chosen: Coding | null = null;
  let most = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? 0;
    if (weight > most) {
      chosen = coding;
      most = weight;
    }
  }
  return chosen;
}

/** Compresses on Node's thread pool, so that the event loop is not blocked. */
export function compress(body: Buffer, coding: Coding, sentOnce: boolean): Promise<Buffer> {
  if (coding === 'gzip') return gzip(body);
  const quality = sentOnce ? DIRECT_BROTLI : PREPARED_BROTLI;
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}
