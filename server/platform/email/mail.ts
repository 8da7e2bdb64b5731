import type { MailFacts, MailKind } from './store';

/** How often a mail is tried: over some eight hours. */
export const MAX_ATTEMPTS = 10;

const FIRST_RETRY_SECONDS = 60;

/** How long after a failed attempt the next one is made. */
export function retryAfterSeconds(attempts: number): number {
  return FIRST_RETRY_SECONDS * 2 ** (Math.min(attempts, MAX_ATTEMPTS) - 1);
}

/**
 * Whether it is still worth telling. Low credit is not where auto-reload sees to it, or credit has come in since.
 * @param bound under which credit is low
 */
export function isWorthTelling(kind: MailKind, facts: MailFacts, bound: bigint): boolean {
  if (facts.closed) return false;
  if (kind !== 'low_balance') return true;
  return !(facts.auto_reload_enabled && facts.has_card) && facts.free < bound;
}
