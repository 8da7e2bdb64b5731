import { MAX_ATTEMPTS } from '../../platform/email/limits';
import type { EmailFacts, EmailKind } from './store';

const FIRST_RETRY_SECONDS = 60;

/** The delay before the next attempt, doubling with each one. */
export function getRetryDelaySeconds(attempts: number): number {
  return FIRST_RETRY_SECONDS * 2 ** (Math.min(attempts, MAX_ATTEMPTS) - 1);
}

/**
 * Whether an email is still relevant. A low-balance one is not once auto-recharge can handle it or
 * credit was added; one about an endpoint once it was enabled or deleted; an alert once its limit
 * was changed or its period is over.
 * @param bound the credit below which the balance is low
 */
export function isStillRelevant(kind: EmailKind, facts: EmailFacts, bound: bigint): boolean {
  if (facts.closed) return false;
  if (kind === 'webhook_disabled') return facts.webhook_url !== null;
  if (kind === 'limit_alert') return facts.alert_percent !== null;
  if (kind === 'key_blocked') return facts.key_id !== null;
  if (kind === 'member_blocked') return facts.member_limit !== null;
  if (kind !== 'low_balance') return true;
  return !(facts.auto_reload_enabled && facts.has_card) && facts.free < bound;
}
