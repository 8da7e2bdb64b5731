import { runQueuedCall as runTaken } from '@/server/calls/execution/run-queued-call';
import { takeQueuedCall } from '@/server/calls/jobs/queue-store';
import type { Runtime } from '@/server/core/runtime';

/** Does the work of the queue for one call, if it still waits. */
export async function runQueuedCall(runtime: Runtime, id: string): Promise<void> {
  await runtime.imports.ready;
  const leasedAt = performance.now();
  const taken = await takeQueuedCall(runtime.sql, runtime.flush, id);
  if (taken) await runTaken(runtime, { ...taken, leasedAt });
}
