import type { Executor } from '@/db/client';
import type { ReloadCap } from '@/db/schema/accounts';
import { writeAudit } from '../../core/audit/audit';
import { enqueueEmail } from '../../platform/email/enqueue-email';
import { emitWebhook } from '../../platform/webhooks/emit-webhook';
import { stopAtCap } from './store';

/**
 * Switches auto-recharge off at a cap and emails the managers. The account must be locked.
 */
export async function stopReload(tx: Executor, accountId: string, cap: ReloadCap): Promise<void> {
  await stopAtCap(tx, accountId, cap);
  await writeAudit(tx, {
    actor: 'system:reloads',
    action: 'reload.stopped',
    accountId,
    details: { reason: cap },
  });
  await enqueueEmail(tx, { kind: 'reload_capped', accountId });
  const data = { account_id: accountId, reason: cap, code: null, stopped: true };
  await emitWebhook(tx, { accountId, type: 'auto_recharge.failed', data });
}
