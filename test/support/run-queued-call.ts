import { runQueuedCall as runTaken } from '@/server/calls/execution/run-queued-call';
import { RunningCalls } from '@/server/calls/execution/running-calls';
import { createCallFlush } from '@/server/calls/flush';
import { takeQueuedCall } from '@/server/calls/jobs/queue-store';
import type { Runtime } from '@/server/core/runtime';

/** Does the work of the queue for one call, if it still waits. */
export async function runQueuedCall(runtime: Runtime, id: string): Promise<void> {
  await runtime.imports.ready;
  const leasedAt = performance.now();
  const taken = await takeQueuedCall(runtime.sql, runtime.flush, id);
  if (taken) await runTaken(runtime, { ...taken, leasedAt });
}

/** The same in another process, with which the runtime shares all but its calls. */
export async function runQueuedCallElsewhere(runtime: Runtime, id: string): Promise<void> {
  const { sql, quotas, ports, settings } = runtime;
  const { leaseSeconds } = runtime.flush;
  const flush = createCallFlush(sql, { leaseSeconds, quotas, seal: ports.vault.seal });
  const running = new RunningCalls(sql, flush, settings.baseUrl, (error) => {
    throw error;
  });
  await runQueuedCall({ ...runtime, flush, running }, id);
}
