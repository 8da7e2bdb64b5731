import { existsSync } from 'node:fs';
import type { Command } from './layers';

const NICE = ['/usr/bin/nice', '/bin/nice'].find((path) => existsSync(path));

/**
 * Runs a program at a lower priority from its first instruction. Set from outside after its start,
 * a priority misses the threads and processes that it has made by then.
 * @param niceness how much lower, as nice(1) counts
 * @returns the command unchanged where the system has no nice(1)
 */
export function runNice(niceness: number, command: Command): Command {
  if (NICE === undefined) return command;
  return { program: NICE, args: ['-n', String(niceness), command.program, ...command.args] };
}
