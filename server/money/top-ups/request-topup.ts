import { readIdempotencyKey } from '../../core/idempotency/run-once';
import { actorName, type KeyActor } from '../../core/trpc/actor';
import type { RequestContext } from '../../core/trpc/context';
import { microusdFromUsd } from '../../kit/money';
import { disputedError } from '../billing/disputed-error';
import { chooseBuyer } from '../payments/create-checkout';
import { offerPayment } from './offer-payment';
import type { MachineTopUp } from './schema';
import { computeDigest } from './topup';

/**
 * Requests a top-up with an API key. Always throws; the normal outcome is the 402 that says how to
 * pay.
 * @throws ProblemError 402 with the challenges
 * @throws GatewayError CLAIM_REQUIRED, FORBIDDEN, UNAVAILABLE, RATE_LIMIT_EXCEEDED
 */
export async function requestTopup(
  { runtime, idempotencyKey, rawBody }: RequestContext,
  actor: KeyActor,
  { amount_usd, billing }: MachineTopUp,
): Promise<never> {
  // Only validated: a challenge is never stored, and the challenge itself identifies the paid
  // retry.
  if (idempotencyKey !== undefined) readIdempotencyKey(idempotencyKey);
  const account = await chooseBuyer({ runtime, actor }, billing, 'Buying credit needs a claimed account.');
  if (account.disputed) throw disputedError();
  throw await offerPayment(runtime, {
    accountId: account.id,
    createdBy: actorName(actor),
    keyId: actor.keyId,
    creditsMicrousd: microusdFromUsd(amount_usd) ?? 0n,
    digest: computeDigest((await rawBody?.()) ?? Buffer.alloc(0)),
    by: 'key',
  });
}
