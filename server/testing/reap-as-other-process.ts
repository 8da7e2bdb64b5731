import { RunningCalls } from '../calls/execution/running-calls';
import { createCallFlush } from '../calls/flush';
import type { Runtime } from '../core/runtime';

/** Reaps as another process, which renews no lease of this one. @returns the number of calls */
export async function reapElsewhere({ sql, quotas, flush: { leaseSeconds } }: Runtime): Promise<number> {
  const other = new RunningCalls(
    sql,
    createCallFlush(sql, { leaseSeconds, quotas }),
    'http://gateway.test',
    (error) => {
      throw error;
    },
  );
  return await other.reap();
}
