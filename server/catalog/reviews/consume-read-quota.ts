import { GatewayError } from '../../core/errors/gateway-error';
import { clientSubject } from '../../core/limits/client-subject';
import { takeFromWindow } from '../../core/limits/store';
import type { RequestContext } from '../../core/trpc/context';

const WINDOW_SECONDS = 60;
/** More than a person reads in a minute. */
const READS_PER_WINDOW = 120;

/**
 * Counts a page of reviews against the limit of the client's address. Reviews in a server-rendered
 * page do not count.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function consumeReadQuota({ runtime, clientIp, transport }: RequestContext): Promise<void> {
  if (transport === 'internal') return;
  const { taken, resetSeconds } = await takeFromWindow(runtime.db, {
    scope: 'reviews',
    subject: clientSubject(runtime.settings.claimSecret, clientIp),
    quota: READS_PER_WINDOW,
    seconds: WINDOW_SECONDS,
  });
  if (taken) return;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many reviews were read from this address.',
    details: { limit: 'reviews', retry_after: resetSeconds },
  });
}
