import { claimRequired } from '../../core/claims/claim-url';
import type { GatewayError } from '../../core/errors/gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import type { AnySkill } from '../../tools/sdk/define-tool';

/**
 * The CLAIM_REQUIRED of a key that must be claimed before it can call the skill, with the claim
 * link for a person; null if it need not.
 */
export function findMissingClaim(
  { runtime, actor }: KeyContext,
  { price }: AnySkill,
): Promise<GatewayError> | null {
  if (actor.accountType !== 'provisional' || actor.prepaid || price.free) return null;
  const message = 'Paid tools need a claimed account.';
  return claimRequired(runtime, actor.accountId, message, { billed: false });
}
