import type { accounts, ReloadCap } from '@/db/schema/accounts';

/** Declines in a row with which auto-reload switches itself off (contract section 7). */
export const MAX_DECLINES = 3;

/**
 * Charges of an account that auto-reload may make in an hour and in a day, both sliding (threats
 * F19).
 */
const MAX_PER_HOUR = 3;
const MAX_PER_DAY = 10;
const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

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

/** A charge that was made, or may be any moment. */
export interface RecentCharge {
  credits: bigint;
  ageSeconds: number;
}

/** What the next charge would buy, and the most that may be bought in a day. */
export interface ReloadBounds {
  credits: bigint;
  dailyLimit: bigint;
}

/** The cap that one more charge would pass, `afterSeconds` from now; null: it may be made. */
export function findReachedCap(
  charges: readonly RecentCharge[],
  { credits, dailyLimit }: ReloadBounds,
  afterSeconds = 0,
): ReloadCap | null {
  const within = (seconds: number) => charges.filter(({ ageSeconds }) => ageSeconds + afterSeconds < seconds);
  if (within(HOUR_SECONDS).length >= MAX_PER_HOUR) return 'hourly_cap';
  const today = within(DAY_SECONDS);
  if (today.length >= MAX_PER_DAY) return 'daily_cap';
  const bought = today.reduce((sum, charge) => sum + charge.credits, 0n);
  return bought + credits > dailyLimit ? 'daily_limit' : null;
}

/**
 * Seconds until no cap forbids the next charge; 0 also where only another daily limit would help.
 */
export function secondsUntilAllowed(charges: readonly RecentCharge[], bounds: ReloadBounds): number {
  const ends = charges.flatMap(({ ageSeconds }) => [HOUR_SECONDS - ageSeconds, DAY_SECONDS - ageSeconds]);
  const waits = [0, ...ends.filter((seconds) => seconds > 0).sort((a, b) => a - b)];
  return waits.find((seconds) => findReachedCap(charges, bounds, seconds) === null) ?? 0;
}

/** How long after so many attempts without an answer the provider is asked again. */
export function retryAfterSeconds(attempts: number): number {
  const doublings = Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
  return Math.min(FIRST_RETRY_SECONDS * 2 ** doublings, MAX_RETRY_SECONDS);
}
