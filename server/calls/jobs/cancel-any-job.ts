import { hideOutputs } from '../../assets/hide-outputs';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { toCallId } from './job-ids';
import { cancelAnyJob as cancelWithin } from './store';

const CANCELLED = 'The operator cancelled the call.';

/**
 * Cancels a running job of any account. Nothing is charged.
 * @throws GatewayError JOB_NOT_RUNNING
 */
export async function cancelAnyJob(
  runtime: Pick<Runtime, 'db' | 'log' | 'settings' | 'sql'>,
  by: AuditActor & { requestId: string },
  jobId: string,
): Promise<void> {
  const details = { billed: false, call_id: toCallId(jobId) };
  const error = new GatewayError('HANDLER_ERROR', { message: CANCELLED, details });
  const notice = { line: CANCELLED, reply: errorBody(error, by.requestId, runtime.settings.baseUrl) };
  await runtime.db.transaction(async (tx) => {
    const accountId = await cancelWithin(tx, jobId, notice);
    if (accountId === null) throw new GatewayError('JOB_NOT_RUNNING');
    await writeAudit(tx, { actor: by, action: 'job.cancel', accountId, target: jobId });
  });
  await hideOutputs(runtime.sql, [toCallId(jobId)]).catch((failure) =>
    runtime.log.warn('job.cancel_cleanup_failed', { jobId, error: failure }),
  );
}
