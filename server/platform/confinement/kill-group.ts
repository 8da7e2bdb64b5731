import type { ChildProcess } from 'node:child_process';

/**
 * Ends a program and what it has started. A sandbox consists of two processes: where only the first
 * is killed before the second is bound to it, the second waits for it for ever.
 * @param child spawned with `detached: true`, which makes it the leader of its process group
 */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  // The system may have given the number of one that has ended to another process.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has just ended; its 'exit' event is on the way.
  }
}
