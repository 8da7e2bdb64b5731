/** Time limits for the database (docs/decisions/0031). */
export interface PoolBounds {
  /** For one statement of a request, including lock waits. */
  statementMs: number;
  /** For a statement to get a connection; a pool exhausted for longer fails requests. */
  waitMs: number;
  /** For a statement without any response; PostgreSQL itself cancels it two seconds earlier. */
  silenceMs: number;
  /** For one statement, whatever its connection receives. */
  longestMs: number;
  /** Interval of the checks. */
  checkMs: number;
}

/** The limits of every pool; tests shorten them. */
export const POOL_BOUNDS: Readonly<PoolBounds> = {
  statementMs: 10_000,
  waitMs: 8_000,
  silenceMs: 12_000,
  longestMs: 24_000,
  checkMs: 1_000,
};

/** How late PostgreSQL may still carry out a statement that has failed here, without its answer. */
export const LOST_STATEMENT_MS = 60_000;
