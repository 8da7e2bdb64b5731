import { readdirSync, readFileSync } from 'node:fs';

/** Queries that need more memory than a machine has. */
export const GREEDY_QUERIES = {
  joinedText: "SELECT string_agg(range::VARCHAR || repeat('x', 100), ',') FROM range(1000000000)",
  list: 'SELECT list(range) FROM range(1000000000)',
  sorted: 'SELECT DISTINCT range FROM range(1000000000) ORDER BY range DESC',
  longText: "SELECT repeat(repeat('x', 1000000), 4000)",
};
export const OUT_OF_MEMORY = /Out of Memory|Memory|more than|larger|exceed/i;
/** The memory limit of a worker plus what it can exceed before its watchdog acts. */
export const MEMORY_BOUND_MIB = 1_600;

/** Runs work that must fail and measures the peak memory of the largest descendant process. */
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
 * Memory of each descendant process; a worker is a child of the process that confines it.
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
