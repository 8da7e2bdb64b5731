import { existsSync } from 'node:fs';
import type { Command } from './layers';

/** Of processes that compute for callers: docs/decisions/0045. */
const DEFAULT_NICENESS = 15;
/** Of those that must soon be ready, and of Chromium, whose pages wait for it. */
const MAX_START_NICENESS = 10;
const NICE = ['/usr/bin/nice', '/bin/nice'].find((path) => existsSync(path));

// In globalThis because Next bundles this module more than once, and the settings are read once.
const slot = globalThis as typeof globalThis & { __toolGatewayNiceness?: number };

/** Called once, when the process starts: tools see no settings. @param niceness 0 to 19 */
export function setWorkerNiceness(niceness: number): void {
  slot.__toolGatewayNiceness = niceness;
}

/** How much lower than the gateway's the priority of a process that computes for callers is. */
export function getWorkerNiceness(): number {
  return slot.__toolGatewayNiceness ?? DEFAULT_NICENESS;
}

/** The same for a worker that starts, and for a browser. */
export function getStartNiceness(): number {
  return Math.min(getWorkerNiceness(), MAX_START_NICENESS);
}

/**
 * Runs a program at a lower priority from its first instruction. Set from outside after its start,
 * a priority misses the threads and processes that it has made by then.
 * @param niceness how much lower, as nice(1) counts
 * @returns the command unchanged where the system has no nice(1)
 */
export function runNice(niceness: number, command: Command): Command {
  if (NICE === undefined || niceness === 0) return command;
  return { program: NICE, args: ['-n', String(niceness), command.program, ...command.args] };
}
