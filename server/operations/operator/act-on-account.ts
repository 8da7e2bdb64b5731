import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { OperatorContext } from '../../core/trpc/context';
import { getAccountState, getOwner } from '../../identity/accounts/find-account';
import { setFrozen } from '../../identity/accounts/freeze-account';
import { resetFactor } from '../../identity/factor/reset-factor';
import { getKeyAccount } from '../../identity/keys/get-key';
import { revokeKey as revoke } from '../../identity/keys/revoke-key';
import { microusdFromUsd } from '../../kit/money';
import { grantAccount } from '../../money/billing/grant-account';
import { getReceiptAccount } from '../../money/payments/get-receipt';
import { refundPayment as refund } from '../../money/payments/refund-payment';
import { type OperatorAuditActor, toActor } from './operator';

/**
 * Grants free credit, once per submitted form.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT
 */
export async function grantCredit(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  by: OperatorAuditActor,
  grant: { account_id: string; amount_usd: number; reason: string; form: string },
): Promise<{ granted: boolean; balance_usd: number }> {
  const amount = microusdFromUsd(grant.amount_usd);
  if (amount === null || amount <= 0n) {
    const message = 'Must be above 0, in US dollars with at most six decimals.';
    throw new GatewayError('INVALID_INPUT', {
      message: `amount_usd: ${message}`,
      details: { fields: [{ path: 'amount_usd', message }] },
    });
  }
  const { account_id: accountId, reason: memo } = grant;
  const granted = await grantAccount(runtime, by, { accountId, amount, memo, ref: `form:${grant.form}` });
  const { balance_usd } = await getAccountState(runtime, accountId);
  return { granted, balance_usd };
}

/** Freezes or unfreezes an account. @throws GatewayError NOT_FOUND */
export async function freezeAccount(
  runtime: Pick<Runtime, 'db'>,
  by: OperatorAuditActor,
  { account_id: accountId, reason }: { account_id: string; reason: string },
  frozen: boolean,
): Promise<{ changed: boolean }> {
  // The reason of a freeze is stored with the account, that of an unfreeze only in the audit log.
  const actor = frozen ? by : { ...by, reason };
  return { changed: await setFrozen(runtime, actor, { accountId, frozen, reason: frozen ? reason : null }) };
}

/** @throws GatewayError NOT_FOUND, also if the owner has no second factor */
export async function resetSecondFactor(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  by: OperatorAuditActor,
  { account_id: accountId, reason }: { account_id: string; reason: string },
): Promise<{ changed: boolean }> {
  const userId = await getOwner(runtime, accountId);
  if (userId === null) throw new GatewayError('NOT_FOUND', { message: 'This account belongs to no person.' });
  await resetFactor(runtime, { ...by, reason }, { userId, accountId });
  return { changed: true };
}

/** @throws GatewayError NOT_FOUND, also for a key that is revoked or belongs to another account */
export async function revokeKey(
  context: OperatorContext,
  { account_id: accountId, key_id }: { account_id: string; key_id: string },
): Promise<{ changed: boolean }> {
  const { runtime, operator, requestId } = context;
  if ((await getKeyAccount(runtime, key_id)) !== accountId)
    throw new GatewayError('NOT_FOUND', { message: 'This account has no such key.' });
  const actor = { kind: 'operator', name: operator.email, requestId, accountId } as const;
  await revoke(runtime, { ...actor, accountType: 'personal', accountFrozen: false }, key_id);
  return { changed: true };
}

/** @throws GatewayError NOT_FOUND, INVALID_INPUT, UNAVAILABLE */
export async function refundPayment(
  context: OperatorContext,
  wanted: { account_id: string; payment_id: string; cents: number; reason: string; form: string },
): Promise<{ refund_id: string; status: 'open' | 'done' | 'refused' }> {
  const { runtime } = context;
  const { payment_id: paymentId, cents, reason } = wanted;
  if ((await getReceiptAccount(runtime, paymentId)) !== wanted.account_id)
    throw new GatewayError('NOT_FOUND', { message: 'This account has no such payment.' });
  const request = { refundId: `refund_${wanted.form}`, paymentId, cents, reason };
  const { id, status } = await refund(runtime, toActor(context), request);
  return { refund_id: id, status };
}
