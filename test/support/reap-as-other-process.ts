import { RunningCalls } from '@/server/calls/execution/running-calls';
import { createCallFlush } from '@/server/calls/flush';
import type { Runtime } from '@/server/core/runtime';

/** Reaps as another process, which renews no lease of this one. @returns the number of calls */
export async function reapElsewhere({
  sql,
  quotas,
  ports,
  flush: { leaseSeconds },
}: Runtime): Promise<number> {
  const other = new RunningCalls(
    sql,
    createCallFlush(sql, { leaseSeconds, quotas, seal: ports.vault.seal }),
    'http://gateway.test',
    (error) => {
      throw error;
    },
  );
  return await other.reap();
}
