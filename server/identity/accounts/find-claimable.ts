import { hashClaimToken } from '../../core/claims/claim-token';
import type { RequestContext } from '../../core/trpc/context';
import { findAccountByClaimHash } from './store';

/**
 * The provisional account that a claim token is for, claimed or not; null where there is none, which counts as a guess.
 * @throws GatewayError RATE_LIMIT_EXCEEDED where too many wrong tokens came from the client's network
 */
export async function findClaimable(
  { runtime, clientIp }: Pick<RequestContext, 'runtime' | 'clientIp'>,
  token: string,
) {
  const { claims } = runtime.guesses;
  claims.refuseGuess(clientIp);
  const hash = hashClaimToken(token);
  const account = await findAccountByClaimHash(runtime.db, hash);
  if (!account) claims.count(clientIp, hash.toString('hex'));
  return account;
}
