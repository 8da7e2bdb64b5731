import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '../core/errors/gateway-error';
import type { KeyContext } from '../core/trpc/context';
import type { CallRun } from './call-run';
import { cancelJob } from './jobs/cancel-job';
import { jobIdOf } from './jobs/job-ids';

/** A call that waits in the queue cannot be cancelled before it runs: asked again this often, for so long. */
const QUEUED_RETRY_MS = 500;
const QUEUED_ATTEMPTS = 120;

/**
 * Where the transport lets its clients cancel a call by their request (`cancelSignal`): then the call is stopped for
 * good, and costs nothing. What has ended by then stays as it is.
 * @param run the run of this process; null for a queued call, which any process may run
 */
export function cancelWithRequest(context: KeyContext, call: { id: string }, run: CallRun | null): void {
  const signal = context.cancelSignal?.();
  if (!signal) return;
  const cancel = () =>
    void cancelCall(context, call, run).catch((error) =>
      context.runtime.log.warn('a call was not cancelled with its request', { callId: call.id, error }),
    );
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

/** As a job, so that its end is told as a cancel, whoever looks. */
async function cancelCall(context: KeyContext, { id }: { id: string }, run: CallRun | null): Promise<void> {
  if (run && context.runtime.settings.jobs === 'off') return run.stop(new Error('The call was cancelled'));
  if (run && !(await run.promote(null))) return;
  for (let attempt = 1; attempt <= QUEUED_ATTEMPTS; attempt++) {
    if (await isCancelled(context, id)) return;
    // One that was running has ended by itself.
    if (run) return;
    await wait(QUEUED_RETRY_MS, undefined, { ref: false });
  }
}

async function isCancelled(context: KeyContext, callId: string): Promise<boolean> {
  try {
    await cancelJob(context, jobIdOf(callId));
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'JOB_NOT_RUNNING') return false;
    throw error;
  }
}
