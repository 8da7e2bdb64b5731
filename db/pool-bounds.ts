/** How long anyone waits for the database (docs/decisions/0031). */
export interface PoolBounds {
  /** No one statement of a request takes longer; what waits for a lock does not either. */
  statementMs: number;
  /** How long a statement waits for a connection: where all are held for so long, the next request fails as well. */
  waitMs: number;
  /** How long a statement on its way may be without a word: PostgreSQL itself ends it two seconds earlier. */
  silenceMs: number;
  /** Whatever the line looks like, nobody waits longer for one statement. */
  longestMs: number;
  /** How often the watch looks. */
  lookMs: number;
}

/** Those of every pool; tests shorten them. */
export const POOL_BOUNDS: Readonly<PoolBounds> = {
  statementMs: 10_000,
  waitMs: 8_000,
  silenceMs: 12_000,
  longestMs: 24_000,
  lookMs: 1_000,
};
