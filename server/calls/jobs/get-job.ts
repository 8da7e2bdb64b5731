import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import { AccountSemaphore } from '../../kit/account-semaphore';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import { describeJob } from './describe-job';
import { jobNotFound } from './job-not-found';
import { LargeReads } from './large-reads';
import type { Job } from './schema';
import type { JobRecord } from './store';

/** Waiting polls per account and process. Further polls return at once. */
const MAX_WAITING_PER_ACCOUNT = 500;

const waitingPolls = new AccountSemaphore(MAX_WAITING_PER_ACCOUNT);
const largeReads = new LargeReads();

/**
 * Returns a job that the key may see: at once if it has ended, otherwise when it ends or the wait
 * is over. A waiting poll holds no database connection: one LISTEN connection serves the process.
 * @throws GatewayError NOT_FOUND, also for a job of another account, and for a restricted key a job
 *   of another key; JOBS_DISABLED; RATE_LIMIT_EXCEEDED for a large result that is read in a loop
 */
export async function getJob(context: KeyContext, jobId: string): Promise<Job> {
  const { runtime, actor } = context;
  requireJobs(context);
  largeReads.assertAllowed(actor.keyId, jobId);
  const seconds = context.waitSeconds ?? runtime.settings.waitSeconds;
  const now = await runtime.readJob({ jobId, keyId: actor.keyId, omitRunningLog: seconds > 0 });
  if (!now) throw jobNotFound();
  largeReads.count(actor.keyId, jobId, now.resultBytes);
  if (now.finishedAt || seconds === 0) return describeJob(now);
  const latest = await waitForEnd(context, now, seconds * 1000);
  await yieldToEventLoop();
  return describeJob(latest);
}

/** @throws GatewayError JOBS_DISABLED */
export function requireJobs({ runtime }: Pick<KeyContext, 'runtime'>): void {
  if (runtime.settings.jobs === 'off') throw new GatewayError('JOBS_DISABLED');
}

/** @param now the job, without its log */
async function waitForEnd(context: KeyContext, now: JobRecord, timeoutMs: number): Promise<JobRecord> {
  const { runtime, actor } = context;
  let latest = now;
  const read = async (omitRunningLog: boolean) => {
    latest = (await runtime.readJob({ jobId: now.id, keyId: actor.keyId, omitRunningLog })) ?? latest;
    return latest;
  };
  const leave = waitingPolls.tryAcquire(actor.accountId);
  if (!leave) return await read(false);
  try {
    await runtime.notices.untilFound(`call:${now.callId}`, async () => (await read(true)).finishedAt, {
      timeoutMs,
      signal: context.signal(),
    });
    // Still running: return the log up to now.
    return latest.finishedAt ? latest : await read(false);
  } finally {
    leave();
  }
}
