import { type AuditActor, writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { buildNotice, requireCancelled } from './cancel-job';

/**
 * Cancels a running job of any account. Nothing is charged.
 * @throws GatewayError JOB_NOT_RUNNING
 */
export async function cancelAnyJob(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  by: AuditActor & { requestId: string },
  jobId: string,
): Promise<void> {
  const { requestId } = by;
  const notice = buildNotice(runtime, 'The operator cancelled the call.', { jobId, requestId });
  await runtime.db.transaction(async (tx) => {
    const accountId = await requireCancelled(tx, null, jobId, notice);
    await writeAudit(tx, { actor: by, action: 'job.cancel', accountId, target: jobId });
  });
}
