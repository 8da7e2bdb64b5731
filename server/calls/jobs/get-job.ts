import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import { ownTurn } from '../../kit/own-turn';
import { WaitingLimit } from '../../kit/waiting-limit';
import { describeJob } from './describe-job';
import { lookForEnd, readJob } from './read-job';
import type { Job } from './schema';
import type { JobRecord } from './store';

/**
 * Polls that one account may have waiting in one process; more are answered at once with the job as
 * it is.
 */
const MAX_WAITING_PER_ACCOUNT = 500;

const waitingPolls = new WaitingLimit(MAX_WAITING_PER_ACCOUNT);

/**
 * A job that the key may see: at once where it has ended, else as soon as it does, at the latest
 * when the wait is over. A waiting poll holds no connection: one LISTEN of the process serves all.
 * @throws GatewayError NOT_FOUND, also for another account's, and for a restricted key another
 *   key's; JOBS_DISABLED
 */
export async function getJob(context: KeyContext, jobId: string): Promise<Job> {
  const { runtime, actor } = context;
  refuseWithoutJobs(context);
  const seconds = context.waitSeconds ?? runtime.settings.waitSeconds;
  const look = seconds === 0 ? readJob : lookForEnd;
  const now = await look(runtime, actor.keyId, jobId);
  if (!now) throw new GatewayError('NOT_FOUND', { message: 'No job of yours has this id.' });
  if (now.finishedAt || seconds === 0) return describeJob(now);
  const latest = await waitForEnd(context, now, seconds * 1000);
  await ownTurn();
  return describeJob(latest);
}

/** @throws GatewayError JOBS_DISABLED */
export function refuseWithoutJobs({ runtime }: Pick<KeyContext, 'runtime'>): void {
  if (runtime.settings.jobs === 'off') throw new GatewayError('JOBS_DISABLED');
}

/** @param now it, without its log */
async function waitForEnd(context: KeyContext, now: JobRecord, timeoutMs: number): Promise<JobRecord> {
  const { runtime, actor } = context;
  const whole = async (last: JobRecord) => (await readJob(runtime, actor.keyId, now.id)) ?? last;
  const leave = waitingPolls.enter(actor.accountId);
  if (!leave) return await whole(now);
  let latest = now;
  try {
    await runtime.notices.untilFound(
      `call:${now.callId}`,
      async () => {
        latest = (await lookForEnd(runtime, actor.keyId, now.id)) ?? latest;
        return latest.finishedAt;
      },
      { timeoutMs, signal: context.signal() },
    );
    // Not ended: what was said up to now is told too.
    return latest.finishedAt ? latest : await whole(latest);
  } finally {
    leave();
  }
}
