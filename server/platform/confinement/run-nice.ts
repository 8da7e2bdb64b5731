import { existsSync } from 'node:fs';
import type { Command } from './layers';

/** For processes that compute for callers: docs/decisions/0045. */
const DEFAULT_NICENESS = 15;
/** For processes that must become ready quickly, and for Chromium, which its pages wait for. */
const MAX_START_NICENESS = 10;
const NICE = ['/usr/bin/nice', '/bin/nice'].find((path) => existsSync(path));

// In globalThis because Next bundles this module more than once; the settings are read once.
const processSingleton = globalThis as typeof globalThis & { __toolGatewayNiceness?: number };

/** Called once at startup, because tools do not see the settings. @param niceness 0 to 19 */
export function setWorkerNiceness(niceness: number): void {
  processSingleton.__toolGatewayNiceness = niceness;
}

/** How much lower the priority of a process that computes for callers is than the gateway's. */
export function getWorkerNiceness(): number {
  return processSingleton.__toolGatewayNiceness ?? DEFAULT_NICENESS;
}

/** The niceness of a worker while it starts, and of a browser. */
export function getStartNiceness(): number {
  return Math.min(getWorkerNiceness(), MAX_START_NICENESS);
}

/**
 * Runs a program at a lower priority from its first instruction. A priority that is set after the
 * start misses the threads and processes that the program has created by then.
 * @param niceness how much lower, as nice(1) counts
 * @returns the command unchanged if the system has no nice(1)
 */
export function withNiceness(niceness: number, command: Command): Command {
  if (NICE === undefined || niceness === 0) return command;
  return { program: NICE, args: ['-n', String(niceness), command.program, ...command.args] };
}
