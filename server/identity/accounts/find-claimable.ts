import { hashClaimToken } from '../../core/claims/claim-token';
import type { RequestContext } from '../../core/trpc/context';
import { findAccountByClaimHash } from './store';

/**
 * Finds the provisional account of a claim token, claimed or not. Returns null for an unknown
 * token, which counts as a failed attempt of the client's network.
 * @throws GatewayError RATE_LIMIT_EXCEEDED after too many unknown tokens from that network
 */
export async function findClaimable(
  { runtime, clientIp }: Pick<RequestContext, 'runtime' | 'clientIp'>,
  token: string,
) {
  const { claims } = runtime.authFailures;
  claims.assertAllowed(clientIp);
  const hash = hashClaimToken(token);
  const account = await findAccountByClaimHash(runtime.db, hash);
  if (!account) claims.count(clientIp, hash.toString('hex'));
  return account;
}
