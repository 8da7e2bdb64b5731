import { createHash } from 'node:crypto';
import { type Coding, chooseCoding, compress, MIN_COMPRESSED_BYTES } from './content-coding';

/** Of discovery responses, and of texts for programs. */
export const DISCOVERY_CACHING = 'public, max-age=60, stale-while-revalidate=300';

const MAX_ENTRIES = 500;
const MAX_AGE_MS = 5000;

/** One representation of a response, with its own ETag (RFC 9110 section 8.8.3.3). */
export interface Representation {
  readonly body: Buffer;
  readonly etag: string;
  /** Absent if the body is not compressed. */
  readonly coding?: Coding;
}

/** A response that is sent many times: each coding is compressed once, on first use. */
export class CachedAnswer implements Representation {
  readonly body: Buffer;
  readonly etag: string;
  readonly #encoded = new Map<Coding, Promise<Representation>>();

  constructor(text: string) {
    this.body = Buffer.from(text);
    this.etag = computeEtag(this.body);
  }

  /** Chooses the representation for an Accept-Encoding header. */
  negotiate(acceptEncoding: string | undefined): Representation | Promise<Representation> {
    const coding = this.body.byteLength < MIN_COMPRESSED_BYTES ? null : chooseCoding(acceptEncoding);
    if (!coding) return this;
    let encoded = this.#encoded.get(coding);
    if (!encoded) {
      encoded = this.#encode(coding);
      this.#encoded.set(coding, encoded);
    }
    return encoded;
  }

  async #encode(coding: Coding): Promise<Representation> {
    const body = await compress(this.body, coding, false);
    return { body, etag: `${this.etag.slice(0, -1)}-${coding}"`, coding };
  }
}

/**
 * Caches rendered discovery responses by URL until the facts behind them change. Concurrent
 * requests for the same URL wait for one rendering.
 */
export class DiscoveryCache {
  readonly #entries = new Map<string, { answer: Promise<CachedAnswer>; version: number; at: number }>();

  /**
   * Returns the current response, rendering it once however many requests arrive.
   * @param render its failure is not cached
   */
  get(target: string, version: number, render: () => Promise<string>): Promise<CachedAnswer> {
    const known = this.#entries.get(target);
    if (known && known.version === version && Date.now() - known.at < MAX_AGE_MS) return known.answer;
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    const answer = render().then((text) => new CachedAnswer(text));
    const entry = { answer, version, at: Date.now() };
    this.#entries.set(target, entry);
    answer.catch(() => {
      if (this.#entries.get(target) === entry) this.#entries.delete(target);
    });
    return answer;
  }
}

/** Computes a strong ETag of the body. */
export function computeEtag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
