import { readdirSync, readFileSync } from 'node:fs';

/** Queries that would take more memory than a machine has. */
export const GREEDY_QUERIES = {
  joinedText: "SELECT string_agg(range::VARCHAR || repeat('x', 100), ',') FROM range(1000000000)",
  list: 'SELECT list(range) FROM range(1000000000)',
  sorted: 'SELECT DISTINCT range FROM range(1000000000) ORDER BY range DESC',
  longText: "SELECT repeat(repeat('x', 1000000), 4000)",
};
export const OUT_OF_MEMORY = /Out of Memory|Memory|more than|larger|exceed/i;
/** A worker's own limit, and what it can exceed it by until its watchdog sees it. */
export const MEMORY_BOUND_MIB = 1_600;

/** Runs something that must fail, and measures the largest process below this one on the way. */
export async function watchMemory(work: () => Promise<unknown>): Promise<{ error: string; mostMib: number }> {
  let mostMib = 0;
  const watch = setInterval(() => {
    mostMib = Math.max(mostMib, ...childrenMemoryMib());
  }, 20);
  try {
    await work();
    return { error: '', mostMib };
  } catch (error) {
    return { error: String(error), mostMib };
  } finally {
    clearInterval(watch);
  }
}

/**
 * Of the processes below this one, what each has in memory: a worker runs inside of what confines
 * it.
 */
function childrenMemoryMib(): number[] {
  const processes = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const field = (label: string) => Number(new RegExp(`^${label}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      return [{ pid: Number(name), parent: field('PPid'), mib: field('VmRSS') / 1024 }];
    } catch {
      return [];
    }
  });
  const below = (pid: number): number[] =>
    processes.filter(({ parent }) => parent === pid).flatMap((one) => [one.mib, ...below(one.pid)]);
  return below(process.pid);
}
