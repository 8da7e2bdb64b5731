import { GatewayError } from '../../core/errors/gateway-error';
import { clientSubject } from '../../core/limits/client-subject';
import { takeFromWindow } from '../../core/limits/store';
import type { RequestContext } from '../../core/trpc/context';

const WINDOW_SECONDS = 60;
/** More than anybody reads in a minute. */
const READS_PER_WINDOW = 120;

/**
 * Counts one page of reviews by the client's address. What our own pages show first counts to nothing: it is part of a
 * page like all the rest of it.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function takeReviewRead({ runtime, clientIp, transport }: RequestContext): Promise<void> {
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
