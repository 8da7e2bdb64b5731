import { GatewayError } from '../core/errors/gateway-error';
import { clientSubject } from '../core/limits/client-subject';
import { policy, rateHeaders } from '../core/limits/rate-headers';
import { takeFromWindow } from '../core/limits/store';
import type { RequestContext } from '../core/trpc/context';

const WINDOW_SECONDS = 60;
export const PUBLIC_POLICY = 'public-assets';

/**
 * Counts one read of a public asset by the client IP, and adds the rate limit headers.
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export async function countPublicRead({ runtime, clientIp, reply }: RequestContext): Promise<void> {
  const quota = runtime.settings.publicAssetsPerMinute;
  const { taken, used, resetSeconds } = await takeFromWindow(runtime.db, {
    scope: PUBLIC_POLICY,
    subject: clientSubject(runtime.settings.claimSecret, clientIp),
    quota,
    seconds: WINDOW_SECONDS,
  });
  Object.assign(
    reply.headers,
    rateHeaders([policy(PUBLIC_POLICY, quota, WINDOW_SECONDS, used, resetSeconds)]),
  );
  if (taken) return;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many files were read from this address.',
    details: { limit: PUBLIC_POLICY, retry_after: resetSeconds },
  });
}
