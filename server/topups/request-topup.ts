import { claimRequired } from '../accounts/claim-url';
import { actorName, type KeyActor } from '../auth/actor';
import { chooseAccount } from '../billing/choose-account';
import { microusdFromUsd } from '../billing/money';
import { readIdempotencyKey } from '../idempotency/once';
import type { RequestContext } from '../trpc/context';
import { offerPayment } from './offer-payment';
import { refuseAccount } from './refusals';
import type { MachineTopUp } from './schema';
import { digestOf } from './topup';

/**
 * Asks for a top-up with an API key: the answer is always a refusal, at best one that says how to pay.
 * @throws ProblemError 402 with the challenges
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, UNAVAILABLE, RATE_LIMIT_EXCEEDED
 */
export async function requestTopup(
  { runtime, idempotencyKey, rawBody }: RequestContext,
  actor: KeyActor,
  { amount_usd, billing }: MachineTopUp,
): Promise<never> {
  // Only its form matters: a challenge is never kept, and the paid repeat is known by its challenge.
  if (idempotencyKey !== undefined) readIdempotencyKey(idempotencyKey);
  if (actor.accountType === 'provisional')
    throw await claimRequired(runtime, actor.accountId, 'Buying credit needs a claimed account.');
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  refuseAccount({
    accountClosed: false,
    accountFrozen: actor.accountFrozen || account.frozen || account.disputed,
  });
  throw await offerPayment(runtime, {
    accountId: account.id,
    createdBy: actorName(actor),
    keyId: actor.keyId,
    creditsMicrousd: microusdFromUsd(amount_usd) ?? 0n,
    digest: digestOf((await rawBody?.()) ?? Buffer.alloc(0)),
    by: 'key',
  });
}
