import type { PaymentMode } from '@/db/schema/payments';
import type { Runtime } from '../../core/runtime';
import type { RequestContext } from '../../core/trpc/context';
import type { GenuineCredential } from '../../platform/ports/machine-payments';
import { chargeTopup, type Payload } from './charge-topup';
import { lockTopup } from './lock-topup';
import { getMode } from './payment-methods';
import type { Refusal } from './payment-problem';
import { REFUSALS, requirePayableAccount, STANDINGS } from './refusals';
import type { TopupOfAccount } from './store';

/** Throws why a credential does not pay, with a fresh offer. */
export type Refuse = (refusal: Refusal) => Promise<never>;

/** What pays an order. */
export interface OrderPayment {
  /** The first one used binds the order: another does not pay it. */
  challengeId: string;
  mode: PaymentMode;
  payload: Payload;
}

/** Reads the payment of a genuine credential; refuses one that cannot pay. */
export async function readPayment(
  runtime: Pick<Runtime, 'ports'>,
  { payload, challengeId, method }: GenuineCredential,
  refuse: Refuse,
): Promise<OrderPayment> {
  if (payload.kind === 'invalid') return await refuse(REFUSALS.badPayload);
  if (payload.kind === 'proof' && !payload.holds) return await refuse(REFUSALS.badProof);
  return { challengeId, mode: getMode(runtime, method), payload };
}

/**
 * Returns once the order is paid, by this request or another.
 * @returns whether it was paid before, by another request
 */
export async function payOnce(
  context: Pick<RequestContext, 'runtime' | 'signal'>,
  found: TopupOfAccount,
  { payload, challengeId, mode }: OrderPayment,
  refuse: Refuse,
): Promise<boolean> {
  // A started charge is completed whatever the state of the account.
  if (found.topup.attempts === 0) requirePayableAccount(found);
  const claimed = await lockTopup(context, found.topup, challengeId, mode);
  if (claimed.kind === 'standing') {
    if (claimed.standing !== 'paid') return await refuse(STANDINGS[claimed.standing]);
    return true;
  }
  const charged = await chargeTopup(context.runtime, claimed.topup, payload);
  if (charged.outcome === 'unpaid') return await refuse(STANDINGS.expired);
  if (charged.outcome === 'declined')
    return await refuse(charged.actionRequired ? REFUSALS.needsAction : REFUSALS.declined);
  return false;
}
