import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_MS = 1_000_000;
/** A worker that was taken over could start thousands: they would block the gateway's thread. */
const MAX_THREADS = 200;

/**
 * How long each thread of a process and of its descendants has been ready to run while others had
 * the processors. Reads some files of /proc: a fraction of a millisecond.
 * @returns milliseconds since its start by thread id; empty where the system does not say
 */
export function readWaitsMs(pid: number): Map<number, number> {
  const waits = new Map<number, number>();
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const thread of readThreads(next)) {
      if (waits.size >= MAX_THREADS) return waits;
      const folder = `/proc/${next}/task/${thread}`;
      // schedstat: ns on a processor, ns waiting for one, number of turns.
      const [, waited] = readText(`${folder}/schedstat`).split(' ');
      if (waited !== undefined) waits.set(Number(thread), Number(waited) / NS_PER_MS);
      for (const child of readText(`${folder}/children`).split(' ')) if (child) open.push(Number(child));
    }
  return waits;
}

/** None where the process has ended, or the system has no /proc. */
function readThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty where the thread has just ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
