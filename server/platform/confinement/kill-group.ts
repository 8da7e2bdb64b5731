import type { ChildProcess } from 'node:child_process';

/**
 * Kills a program and every process it has started. A sandbox is two processes: if the first is
 * killed before the second is bound to it, the second would wait for it for ever.
 * @param child spawned with `detached: true`, which makes it the leader of its process group
 */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  // Once the process has exited, the system may have reused its pid.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has just exited; its 'exit' event follows.
  }
}
