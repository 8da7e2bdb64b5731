import { GatewayError } from '../../core/errors/gateway-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';

const SCOPE = 'reviews';
const WINDOW_SECONDS = 3600;
/** Enough to rate every tool of a catalogue at once. */
export const POSTS_PER_HOUR = 100;

/**
 * Counts a posted review against the account's limit.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function consumePostQuota({ db }: Pick<Runtime, 'db'>, { accountId }: Actor): Promise<void> {
  const window = { scope: SCOPE, subject: accountId, quota: POSTS_PER_HOUR, seconds: WINDOW_SECONDS };
  const { taken, used, resetSeconds } = await takeFromWindow(db, window);
  if (taken) return;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: `This account has posted ${POSTS_PER_HOUR} reviews within an hour, the maximum.`,
    details: { limit: SCOPE, retry_after: resetSeconds },
    headers: rateHeaders([policy(SCOPE, POSTS_PER_HOUR, WINDOW_SECONDS, used, resetSeconds)]),
  });
}
