import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import { cancelJob } from '../jobs/cancel-job';
import { toJobId } from '../jobs/job-ids';
import type { CallRun } from './call-run';

/** A call in the queue cannot be cancelled until it runs: retry for up to one minute. */
const QUEUED_RETRY_MS = 500;
const QUEUED_ATTEMPTS = 120;

/**
 * Cancels a call when its request is cancelled, if the transport supports that (`cancelSignal`). A
 * cancelled call costs nothing; a call that has already ended is not changed.
 * @param run the run in this process; null for a queued call, which any process may run
 */
export function cancelWithRequest(context: KeyContext, call: { id: string }, run: CallRun | null): void {
  const signal = context.cancelSignal?.();
  if (!signal) return;
  const cancel = () =>
    void cancelCall(context, call, run).catch((error) =>
      context.runtime.log.warn('call.cancel_failed', { callId: call.id, error }),
    );
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
}

/** Promotes the call first, so that every reader sees it as cancelled. */
async function cancelCall(context: KeyContext, { id }: { id: string }, run: CallRun | null): Promise<void> {
  if (run && context.runtime.settings.jobs === 'off') return run.stop(new Error('The call was cancelled'));
  if (run && !(await run.promote(null))) return;
  for (let attempt = 1; attempt <= QUEUED_ATTEMPTS; attempt++) {
    if (await isCancelled(context, id)) return;
    // A run in this process can only have ended by itself.
    if (run) return;
    await wait(QUEUED_RETRY_MS, undefined, { ref: false });
  }
}

async function isCancelled(context: KeyContext, callId: string): Promise<boolean> {
  try {
    await cancelJob(context, toJobId(callId));
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'JOB_NOT_RUNNING') return false;
    throw error;
  }
}
