import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { enqueueEmail } from '../../platform/email/enqueue-email';
import { emitWebhook } from '../../platform/webhooks/emit-webhook';
import { lockAccounts } from '../billing/ledger';
import { MAX_DECLINES } from './reload';
import { countDecline, endReload, type LeasedReload } from './store';

/**
 * Marks an order as failed because its card was declined, and emails the account's managers. Too
 * many declines in a row switch auto-recharge off. Does nothing if another process has ended the
 * order.
 * @param code the provider's decline code
 */
export async function declineReload(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'settings'>,
  order: LeasedReload,
  code: string,
): Promise<void> {
  const { id, account_id: accountId } = order;
  const retryMinutes = runtime.settings.reloadRetryMinutes;
  const end = await runtime.db.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    if (!(await endReload(tx, order, { status: 'failed', code }))) return null;
    const stopped = await countDecline(tx, accountId, { retryMinutes, maxDeclines: MAX_DECLINES });
    await writeAudit(tx, {
      actor: 'system:reloads',
      action: stopped ? 'reload.stopped' : 'reload.declined',
      accountId,
      target: id,
      details: { code },
    });
    await enqueueEmail(tx, { kind: stopped ? 'reload_stopped' : 'reload_declined', accountId, ref: id });
    const data = { account_id: accountId, reason: 'declined' as const, code, stopped };
    await emitWebhook(tx, { accountId, type: 'auto_recharge.failed', data });
    return { stopped };
  });
  if (!end) return;
  runtime.observer.metrics.reloads.inc({ outcome: 'declined' });
  runtime.log.info('reload.declined', { orderId: id, accountId, code, ...end });
}
