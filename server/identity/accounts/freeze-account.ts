import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { lockAccounts } from '../../money/billing/ledger';
import { updateFrozen } from './store';

/**
 * Freezes or unfreezes an account. While it is frozen, its keys and applications are refused, and
 * its owner can only read and remove access (`core/trpc/procedures`).
 * @param by the actor in the audit log
 * @returns whether anything changed
 * @throws GatewayError NOT_FOUND
 */
export async function setFrozen(
  runtime: Pick<Runtime, 'db'>,
  by: string | AuditActor,
  change: { accountId: string; frozen: boolean; reason: string | null },
): Promise<boolean> {
  return await runtime.db.transaction(async (tx) => {
    const [account] = await lockAccounts(tx, [change.accountId]);
    if (!account) throw new GatewayError('NOT_FOUND', { message: 'There is no such account.' });
    if ((account.frozenAt !== null) === change.frozen) return false;
    await updateFrozen(tx, account.id, change);
    await writeAudit(tx, {
      actor: by,
      action: change.frozen ? 'account.freeze' : 'account.unfreeze',
      accountId: account.id,
      details: change.reason === null ? {} : { reason: change.reason },
    });
    return true;
  });
}
