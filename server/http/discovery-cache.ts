import { createHash } from 'node:crypto';

const MAX_ENTRIES = 500;
const MAX_AGE_MS = 5000;

/** Its bytes, not its text: a long list would be encoded anew for each who asks. */
export interface CachedAnswer {
  body: Buffer;
  etag: string;
}

/** Rendered discovery answers, by address, for as long as the facts they were made from are the current ones. */
export class DiscoveryCache {
  readonly #entries = new Map<string, CachedAnswer & { version: number; at: number }>();

  get(target: string, version: number): CachedAnswer | undefined {
    const entry = this.#entries.get(target);
    return entry && entry.version === version && Date.now() - entry.at < MAX_AGE_MS ? entry : undefined;
  }

  set(target: string, version: number, text: string): CachedAnswer {
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear();
    const entry = { ...cachedAnswer(text), version, at: Date.now() };
    this.#entries.set(target, entry);
    return entry;
  }
}

/** An answer as it is sent each time, with its validator. */
export function cachedAnswer(text: string): CachedAnswer {
  const body = Buffer.from(text);
  return { body, etag: etagOf(body) };
}

/** A strong validator of the body. */
export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** RFC 9110 section 13.1.2: weak comparison, a list, or any. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
