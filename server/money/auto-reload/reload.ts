import type { accounts, ReloadCap } from '@/db/schema/accounts';
import { RELOADS_PER_DAY, RELOADS_PER_HOUR } from '../billing/limits';

/** Consecutive declines after which auto-recharge switches off (contract section 7). */
export const MAX_DECLINES = 3;

const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

const FIRST_RETRY_SECONDS = 15;
const MAX_RETRY_SECONDS = 3_600;
/** Caps the exponent: 15 s × 2⁸ is already more than an hour. */
const MAX_DOUBLINGS = 8;

/** The parts of an account that decide whether its card may be charged. */
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

/** Whether the account is below its threshold and may buy credit. */
export function needsReload(account: ReloadAccount): boolean {
  const { balanceMicrousd, heldMicrousd, debtMicrousd, reloadThresholdMicrousd } = account;
  const stopped = account.disputedAt ?? account.frozenAt ?? account.closedAt;
  const free = balanceMicrousd - heldMicrousd - debtMicrousd;
  return account.autoReloadEnabled && stopped === null && free < reloadThresholdMicrousd;
}

/** A charge that was made, or may be made at any moment. */
export interface RecentCharge {
  credits: bigint;
  ageSeconds: number;
}

/** The credit of the next charge, and the daily maximum. */
export interface ReloadBounds {
  credits: bigint;
  dailyLimit: bigint;
}

/**
 * Returns the cap that one more charge would exceed, `afterSeconds` from now; null if it is
 * allowed.
 */
export function findReachedCap(
  charges: readonly RecentCharge[],
  { credits, dailyLimit }: ReloadBounds,
  afterSeconds = 0,
): ReloadCap | null {
  const within = (seconds: number) => charges.filter(({ ageSeconds }) => ageSeconds + afterSeconds < seconds);
  if (within(HOUR_SECONDS).length >= RELOADS_PER_HOUR) return 'hourly_cap';
  const today = within(DAY_SECONDS);
  if (today.length >= RELOADS_PER_DAY) return 'daily_cap';
  const bought = today.reduce((sum, charge) => sum + charge.credits, 0n);
  return bought + credits > dailyLimit ? 'daily_limit' : null;
}

/**
 * Seconds until no cap forbids the next charge; 0 if waiting does not help and only a higher daily
 * limit would.
 */
export function secondsUntilAllowed(charges: readonly RecentCharge[], bounds: ReloadBounds): number {
  const ends = charges.flatMap(({ ageSeconds }) => [HOUR_SECONDS - ageSeconds, DAY_SECONDS - ageSeconds]);
  const waits = [0, ...ends.filter((seconds) => seconds > 0).sort((a, b) => a - b)];
  return waits.find((seconds) => findReachedCap(charges, bounds, seconds) === null) ?? 0;
}

/** Seconds to wait before the provider is tried again, after this many failed attempts. */
export function retryAfterSeconds(attempts: number): number {
  const doublings = Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
  return Math.min(FIRST_RETRY_SECONDS * 2 ** doublings, MAX_RETRY_SECONDS);
}
