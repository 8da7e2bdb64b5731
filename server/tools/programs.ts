import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { confineProgram, type OwnProgram } from '../confinement/confine-program';
import type { Command } from '../confinement/layers';
import { mediaSandbox } from '../confinement/sandboxes';

/** Programs on this machine that tools start: where the operator says they are; null where tools look for themselves. */
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
 * Where a program is: where the operator says, and nowhere else then, or else on the PATH. Null where it is not.
 */
export async function findProgram(name: keyof ProgramPaths): Promise<string | null> {
  const told = slot.__toolGatewayPrograms?.[name];
  const candidates = told
    ? [told]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const path of candidates) if (await canRun(path)) return path;
  return null;
}

/** How a program is started on a caller's files: it sees their folders, the system's libraries and no network. */
export async function confineMediaProgram(program: OwnProgram, folders: readonly string[]): Promise<Command> {
  return await confineProgram(mediaSandbox(program.program, folders), program);
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
