import type { accounts } from '@/db/schema/accounts';

/** Declines in a row with which auto-reload switches itself off (contract section 7). */
export const MAX_DECLINES = 3;

const FIRST_RETRY_SECONDS = 15;
const MAX_RETRY_SECONDS = 3_600;
/** Beyond it the wait does not grow: 15 s × 2⁸ is more than an hour. */
const MAX_DOUBLINGS = 8;

/** What of an account decides whether its card may be charged. */
export type ReloadAccount = Pick<
  typeof accounts.$inferSelect,
  | 'autoReloadEnabled'
  | 'reloadThresholdMicrousd'
  | 'balanceMicrousd'
  | 'heldMicrousd'
  | 'debtMicrousd'
  | 'disputedAt'
  | 'frozenAt'
  | 'closedAt'
>;

/** Whether the account wants credit now, and may be sold some. */
export function needsReload(account: ReloadAccount): boolean {
  const { balanceMicrousd, heldMicrousd, debtMicrousd, reloadThresholdMicrousd } = account;
  const stopped = account.disputedAt ?? account.frozenAt ?? account.closedAt;
  const free = balanceMicrousd - heldMicrousd - debtMicrousd;
  return account.autoReloadEnabled && stopped === null && free < reloadThresholdMicrousd;
}

/** How long after so many attempts without an answer the provider is asked again. */
export function retryAfterSeconds(attempts: number): number {
  const doublings = Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
  return Math.min(FIRST_RETRY_SECONDS * 2 ** doublings, MAX_RETRY_SECONDS);
}
