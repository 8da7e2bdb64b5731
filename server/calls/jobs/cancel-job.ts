import type { Executor } from '@/db/client';
import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { getVisibleKeyId } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { requireJobs } from './get-job';
import { toCallId } from './job-ids';
import type { Cancelled } from './schema';
import { type CancelNotice, type CancelScope, cancelStoredJob } from './store';

/**
 * Cancels a running job: aborts its handler, charges nothing. If the call ends at the same time,
 * exactly one of the two wins.
 * @throws GatewayError JOB_NOT_RUNNING if the job is not running, unknown or of another account, or
 *   for a restricted key of another key; JOBS_DISABLED
 */
export async function cancelJob(
  context: Pick<AccountContext, 'runtime' | 'actor' | 'requestId'>,
  jobId: string,
): Promise<Cancelled> {
  requireJobs(context);
  const { runtime, actor, requestId } = context;
  const notice = buildNotice(runtime, 'The call was cancelled.', { jobId, requestId });
  const scope = { accountId: actor.accountId, keyId: getVisibleKeyId(actor) };
  await requireCancelled(runtime.db, scope, jobId, notice);
  return { cancelled: true, job_id: jobId };
}

/** The end of the job's log, and the response of its call. */
export function buildNotice(
  { settings }: Pick<Runtime, 'settings'>,
  message: string,
  { jobId, requestId }: { jobId: string; requestId: string },
): CancelNotice {
  const details = { billed: false, call_id: toCallId(jobId) };
  const error = new GatewayError('HANDLER_ERROR', { message, details });
  return { line: message, reply: errorBody(error, requestId, settings.baseUrl) };
}

/**
 * Cancels a running job in the scope; null is any account.
 * @returns the account of the job
 * @throws GatewayError JOB_NOT_RUNNING
 */
export async function requireCancelled(
  db: Pick<Executor, 'execute'>,
  scope: CancelScope | null,
  jobId: string,
  notice: CancelNotice,
): Promise<string> {
  const accountId = await cancelStoredJob(db, scope, jobId, notice);
  if (accountId === null) throw new GatewayError('JOB_NOT_RUNNING');
  return accountId;
}
