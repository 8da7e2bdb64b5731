import type { Executor } from '@/db/client';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Microusd, usdFromMicrousd } from '../../kit/money';
import { armLowBalance, grantCredit, lockAccounts } from './ledger';
import { findEntry } from './store';

interface Grant {
  accountId: string;
  amount: Microusd;
  /** What caused it; the same one grants once. */
  ref: string;
  memo: string;
}

/**
 * Gives an account credit that nobody paid for.
 * @param by who does it, as the audit log names them
 * @returns whether this call granted it; false where the same ref granted the same before
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for a closed account, or a ref that was used for something else
 */
export async function grantAccount(
  runtime: Runtime,
  by: string | AuditActor,
  grant: Grant,
): Promise<boolean> {
  return await runtime.db.transaction((tx) => grantWithin(tx, runtime, by, grant));
}

/** The same inside the transaction of a larger act. */
export async function grantWithin(
  tx: Executor,
  { settings }: Runtime,
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
  await armLowBalance(tx, grant.accountId, settings.lowBalanceMicrousd);
  await writeAudit(tx, {
    actor: by,
    action: 'account.credit',
    accountId: grant.accountId,
    target: grant.ref,
    details: { amount_usd: usdFromMicrousd(grant.amount), memo: grant.memo },
  });
  return true;
}
