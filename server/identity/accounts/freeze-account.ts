import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { lockAccounts } from '../../money/billing/ledger';
import { updateFrozen } from './store';

/**
 * Freezes an account, or ends that: its keys and applications are refused from the next request on,
 * and its person changes nothing but what takes access away (`trpc/procedures`).
 * @param by who does it, as the audit log names them
 * @returns whether anything changed
 * @throws GatewayError NOT_FOUND
 */
export async function setFrozen(
  runtime: Runtime,
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
