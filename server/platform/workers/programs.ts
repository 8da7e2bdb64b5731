import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { confineProgram, type OwnProgram } from '../confinement/confine-program';
import { readEndSignal } from '../confinement/confinement';
import type { Command } from '../confinement/layers';
import { getWorkerNiceness, runNice } from '../confinement/run-nice';
import { mediaSandbox } from '../confinement/sandboxes';
import { ProcessTreeWatch } from './process-tree-watch';

export { killGroup } from '../confinement/kill-group';

/**
 * Programs on this machine that tools start: where the operator says they are; null where tools
 * look for themselves.
 */
export interface ProgramPaths {
  readonly ffmpeg: string | null;
}

// In globalThis because Next bundles this module more than once, and the settings are read once.
const slot = globalThis as typeof globalThis & { __toolGatewayPrograms?: ProgramPaths };

/** Told once, when the process starts: tools see no settings. */
export function setProgramPaths(paths: ProgramPaths): void {
  slot.__toolGatewayPrograms = paths;
}

/**
 * Where a program is: where the operator says, and nowhere else then, or else on the PATH. Null
 * where it is not.
 */
export async function findProgram(name: keyof ProgramPaths): Promise<string | null> {
  const told = slot.__toolGatewayPrograms?.[name];
  const candidates = told
    ? [told]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const path of candidates) if (await canRun(path)) return path;
  return null;
}

/**
 * How a program is started on a caller's files: it sees their folders, the system's libraries and
 * no network, and runs at a low priority.
 */
export async function confineMediaProgram(program: OwnProgram, folders: readonly string[]): Promise<Command> {
  return runNice(getWorkerNiceness(), await confineProgram(mediaSandbox(program.program, folders), program));
}

/**
 * Kills a program where it, with all that it has started, passes its limit of memory; `end` it with
 * the program.
 */
export function boundMemory(pid: number | undefined, maxBytes: number): { end(): void } {
  if (pid === undefined) return { end: () => undefined };
  return new ProcessTreeWatch({ pid, withRoot: true, maxBytes, niceness: getWorkerNiceness() });
}

/**
 * Whether a confined program was killed, as the watch does it, or the system where its memory is
 * full.
 */
export function wasKilled(code: number | null, signal: NodeJS.Signals | null): boolean {
  return readEndSignal(code, signal) === 'SIGKILL';
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
