/** A stream of tokens sends pieces of about 200 bytes, a download pieces of kilobytes. */
const FEW_CHUNKS = 20_000;
const LEAST_AVERAGE_BYTES = 128;

/**
 * Limits the number of pieces in which a body arrives: each costs the event loop the same, however
 * small. The first ones may have any size; more must have 128 bytes on average.
 */
export class ChunkLimit {
  readonly #few: number;
  #chunks = 0;
  #bytes = 0;

  /** @param few how many may have any size */
  constructor(few = FEW_CHUNKS) {
    this.#few = few;
  }

  /** Counts a piece. @returns whether there are too many small ones */
  isExceededBy(bytes: number): boolean {
    this.#chunks += 1;
    this.#bytes += bytes;
    return this.#chunks > this.#few + this.#bytes / LEAST_AVERAGE_BYTES;
  }
}
