import { createHash } from 'node:crypto';

const LANES = 8;
const NEWLINE = 10;

/** What a table holds, whatever the order of its rows: how many, and a sum of their SHA-256. */
export interface Digest {
  rows: number;
  digest: string;
}

/** @param stated what a backup says a table holds */
export function isSameDigest({ rows, digest }: Digest, stated: unknown): boolean {
  const other = stated as Partial<Digest> | null | undefined;
  return other?.rows === rows && other.digest === digest;
}

/**
 * Sums up rows of COPY's text form as they stream by. In that form a row ends with the only newline
 * in it. The order is left out because two servers sort texts differently.
 */
export class TableDigest {
  readonly #lanes = new Uint32Array(LANES);
  #rows = 0;
  /** The beginning of a row whose end has not come yet. */
  #begun: Buffer[] = [];

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#addRow(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) this.#begun.push(Buffer.from(chunk.subarray(from)));
  }

  /** @throws where the last row has no end */
  end(): Digest {
    if (this.#begun.length > 0) throw new Error('A row of the table has no end');
    const bytes = Buffer.alloc(LANES * 4);
    this.#lanes.forEach((lane, index) => void bytes.writeUInt32BE(lane, index * 4));
    return { rows: this.#rows, digest: bytes.toString('hex') };
  }

  #addRow(end: Buffer): void {
    const hash = createHash('sha256');
    for (const part of this.#begun) hash.update(part);
    const sum = hash.update(end).digest();
    this.#begun = [];
    // Each lane wraps around: equal rows add up, they do not cancel out.
    for (let lane = 0; lane < LANES; lane++)
      this.#lanes[lane] = (this.#lanes[lane] as number) + sum.readUInt32BE(lane * 4);
    this.#rows++;
  }
}
