import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '../../core/errors/gateway-error';
import { chooseRequestId } from '../../core/http/headers';
import { errorResponse, jsonResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime, type Runtime } from '../../core/runtime';
import { BACKGROUND_JOBS } from '../../lifecycle/background-jobs';
import { OPERATION_JOBS } from '../../operations/operator/background/operation-jobs';
import { recordSweep } from '../../operations/retention/sweep-timer';
import { runJob } from '../../platform/background/job-timer';

/** The rounds that a scheduler may request, at any rate and from several places at once. */
const ROUNDS = {
  /**
   * Every minute: releases lost calls, charges cards, sends emails and alerts, fetches missed
   * payment events, samples the status, reconciles when it is due.
   */
  minute: async (runtime: Runtime, signal: AbortSignal) => {
    const done: Record<string, string> = {};
    const attempt = async (name: string, work: () => Promise<unknown>) => {
      try {
        await work();
        done[name] = 'done';
      } catch (error) {
        done[name] = 'failed';
        runtime.log.error('cron.job_failed', { job: name, error });
      }
    };
    await attempt('lost_calls', () => runtime.running.reap());
    for (const job of [...BACKGROUND_JOBS, ...OPERATION_JOBS])
      await attempt(job.name, async () => await waitForEnd(await runJob(runtime, job, signal)));
    return done;
  },
  /** Every hour: deletes expired data. */
  hour: async (runtime: Runtime, signal: AbortSignal) => {
    const { elsewhere, failed } = await recordSweep(runtime, signal);
    return { sweep: failed.length > 0 ? 'failed' : elsewhere ? 'elsewhere' : 'done' };
  },
} satisfies Record<string, (runtime: Runtime, signal: AbortSignal) => Promise<Record<string, string>>>;

/**
 * Runs one round of scheduled work where no process lives long enough for timers
 * (docs/deployment.md). The scheduler authenticates with CRON_SECRET; without it, the route is a
 * 404.
 */
export async function answerCron(
  request: Request,
  round: string,
  runtime: Runtime = getRuntime(),
): Promise<Response> {
  const { cronSecret, baseUrl } = runtime.settings;
  const requestId = chooseRequestId(request.headers.get('x-request-id'));
  const refuse = (error: GatewayError) => toFetchResponse(errorResponse(error, { requestId, baseUrl }));
  if (cronSecret === null || !Object.hasOwn(ROUNDS, round)) return refuse(new GatewayError('NOT_FOUND'));
  if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${cronSecret}`))
    return refuse(
      new GatewayError('AUTH_FAILED', {
        message: 'CRON_SECRET is missing or wrong.',
        hint: 'Send Authorization: Bearer with the value of CRON_SECRET.',
      }),
    );
  const done = await ROUNDS[round as keyof typeof ROUNDS](runtime, request.signal);
  const failed = Object.values(done).includes('failed');
  return toFetchResponse(jsonResponse(failed ? 500 : 200, { round, done }, { 'X-Request-Id': requestId }));
}

/** What a job has only started must not be frozen with the function. */
async function waitForEnd(outcome: unknown): Promise<void> {
  if (typeof outcome === 'object' && outcome !== null && 'ended' in outcome) await outcome.ended;
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
