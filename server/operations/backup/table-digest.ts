import { createHash } from 'node:crypto';

const LANES = 8;
const NEWLINE = 10;

/** An order-independent digest of a table: the number of rows, and a sum of their SHA-256. */
export interface Digest {
  rows: number;
  digest: string;
}

/** @param stated the digest in a backup */
export function isSameDigest({ rows, digest }: Digest, stated: unknown): boolean {
  const other = stated as Partial<Digest> | null | undefined;
  return other?.rows === rows && other.digest === digest;
}

/**
 * Computes the digest of streamed rows in COPY's text format, in which only the end of a row is a
 * newline. The order does not matter, because two servers sort texts differently.
 */
export class TableDigest {
  readonly #lanes = new Uint32Array(LANES);
  #rows = 0;
  /** The beginning of an incomplete row. */
  #partial: Buffer[] = [];

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#addRow(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) this.#partial.push(Buffer.from(chunk.subarray(from)));
  }

  /** @throws if the last row is incomplete */
  end(): Digest {
    if (this.#partial.length > 0) throw new Error('A row of the table has no end');
    const bytes = Buffer.alloc(LANES * 4);
    this.#lanes.forEach((lane, index) => void bytes.writeUInt32BE(lane, index * 4));
    return { rows: this.#rows, digest: bytes.toString('hex') };
  }

  #addRow(end: Buffer): void {
    const hash = createHash('sha256');
    for (const part of this.#partial) hash.update(part);
    const sum = hash.update(end).digest();
    this.#partial = [];
    // Addition with overflow, not XOR: equal rows must not cancel each other out.
    for (let lane = 0; lane < LANES; lane++)
      this.#lanes[lane] = (this.#lanes[lane] as number) + sum.readUInt32BE(lane * 4);
    this.#rows++;
  }
}
