import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { confineProgram, type KnownProgram } from '../confinement/confine-program';
import { readEndSignal } from '../confinement/confinement';
import type { Command } from '../confinement/layers';
import { getWorkerNiceness, withNiceness } from '../confinement/run-nice';
import { mediaSandbox } from '../confinement/sandboxes';
import { ProcessTreeWatch } from './process-tree-watch';

export { killGroup } from '../confinement/kill-group';

/** Paths of programs that tools start, as configured; null if tools search for them. */
export interface ProgramPaths {
  readonly ffmpeg: string | null;
}

// In globalThis because Next bundles this module more than once; the settings are read once.
const processSingleton = globalThis as typeof globalThis & { __toolGatewayPrograms?: ProgramPaths };

/** Called once at startup, because tools do not see the settings. */
export function setProgramPaths(paths: ProgramPaths): void {
  processSingleton.__toolGatewayPrograms = paths;
}

/** Finds a program at its configured path only, or on the PATH if none is set; null if absent. */
export async function findProgram(name: keyof ProgramPaths): Promise<string | null> {
  const configured = processSingleton.__toolGatewayPrograms?.[name];
  const candidates = configured
    ? [configured]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const path of candidates) if (await canRun(path)) return path;
  return null;
}

/**
 * Builds the command that starts a program on a caller's files: it sees their folders and the
 * system's libraries, has no network, and runs at a low priority.
 */
export async function confineMediaProgram(
  program: KnownProgram,
  folders: readonly string[],
): Promise<Command> {
  return withNiceness(
    getWorkerNiceness(),
    await confineProgram(mediaSandbox(program.program, folders), program),
  );
}

/** Kills a program and its children if they exceed the memory limit. Call `end` with its end. */
export function limitMemory(pid: number | undefined, maxBytes: number): { end(): void } {
  if (pid === undefined) return { end: () => undefined };
  return new ProcessTreeWatch({ pid, withRoot: true, maxBytes, niceness: getWorkerNiceness() });
}

/** Whether a confined program was killed, by the memory watch or by the system out of memory. */
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
