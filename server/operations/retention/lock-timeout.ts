import { DrizzleQueryError } from 'drizzle-orm/errors';

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement gave up because a table is in use: the next sweep tries again. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === LOCK_NOT_AVAILABLE;
}
