import type { Executor } from '@/db/client';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Microusd, usdFromMicrousd } from '../../kit/money';
import { enableLowBalanceAlert, grantCredit, lockAccounts } from './ledger';
import { findEntry } from './store';

interface Grant {
  accountId: string;
  amount: Microusd;
  /** Identifies the cause; the same one grants only once. */
  ref: string;
  memo: string;
}

/**
 * Grants an account credit without a payment.
 * @param by the actor, as in the audit log
 * @returns false if the same ref has granted the same amount to the account before
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for a closed account, or a ref of another grant
 */
export async function grantAccount(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  by: string | AuditActor,
  grant: Grant,
): Promise<boolean> {
  return await runtime.db.transaction((tx) => grantWithin(tx, runtime, by, grant));
}

/** Grants within the caller's transaction. */
export async function grantWithin(
  tx: Executor,
  { settings }: Pick<Runtime, 'settings'>,
  by: string | AuditActor,
  grant: Grant,
): Promise<boolean> {
  const [account] = await lockAccounts(tx, [grant.accountId]);
  if (!account) throw new GatewayError('NOT_FOUND', { message: `There is no account ${grant.accountId}.` });
  if (account.closedAt)
    throw new GatewayError('INVALID_INPUT', {
      message: account.claimedByAccountId
        ? `Account ${account.id} was claimed: credit ${account.claimedByAccountId} instead.`
        : `Account ${account.id} is closed.`,
    });
  if (!(await grantCredit(tx, grant))) {
    const before = await findEntry(tx, 'grant', grant.ref);
    if (before?.accountId === grant.accountId && before.amountMicrousd === grant.amount) return false;
    throw new GatewayError('INVALID_INPUT', {
      message: `The reference ${grant.ref} was used for another grant: choose a new one.`,
    });
  }
  await enableLowBalanceAlert(tx, grant.accountId, settings.lowBalanceMicrousd);
  await writeAudit(tx, {
    actor: by,
    action: 'account.credit',
    accountId: grant.accountId,
    target: grant.ref,
    details: { amount_usd: usdFromMicrousd(grant.amount), memo: grant.memo },
  });
  return true;
}
