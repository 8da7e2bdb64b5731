import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findConfinement } from './confinement';
import { buildConfinedCommand, type Command, type Layer } from './layers';
import type { Sandbox } from './mount-plan';
import { importedSandbox } from './sandboxes';

/** A busy machine takes seconds to start a process. */
const LIMIT_MS = 20_000;

// In globalThis because Next bundles this module more than once; each program is probed once.
const processSingleton = globalThis as typeof globalThis & {
  __toolGatewayProgramLayers?: Map<string, Promise<Layer>>;
};

/** A program that the gateway knows how to probe. */
export interface KnownProgram extends Command {
  /** Arguments with which the program only prints its version. */
  readonly versionArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Builds the command that starts a local program in a sandbox. A program that cannot start there,
 * such as a snap, gets a weaker layer instead of failing.
 */
export async function confineProgram(sandbox: Sandbox, program: KnownProgram): Promise<Command> {
  return buildConfinedCommand(await findLayerFor(sandbox, program), sandbox, program);
}

/**
 * Builds the command for a program that the operator imported: it can read the machine's files
 * except the gateway's own, and write only in its folder.
 */
export async function confineImported(command: Command, folder: string): Promise<Command> {
  const sandbox = importedSandbox(command.program, command.args, folder);
  const tried = { program: 'true', args: [], versionArgs: [], env: process.env };
  return buildConfinedCommand(await findLayerFor(sandbox, tried), sandbox, command);
}

/** The strongest layer under which a program starts; probed once per program. */
export async function findLayerFor(sandbox: Sandbox, program: KnownProgram): Promise<Layer> {
  const { layer } = await findConfinement();
  processSingleton.__toolGatewayProgramLayers ??= new Map();
  const key = `${layer} ${program.program}`;
  const known = processSingleton.__toolGatewayProgramLayers.get(key);
  if (known) return await known;
  const found = tryLayers(layer, sandbox, program);
  processSingleton.__toolGatewayProgramLayers.set(key, found);
  return await found;
}

/** Lists the programs that only start under a weaker layer than this machine offers. */
export async function listWeaklyConfinedPrograms(): Promise<string[]> {
  const { layer } = await findConfinement();
  const weak: string[] = [];
  for (const [key, found] of processSingleton.__toolGatewayProgramLayers ?? [])
    if (key.startsWith(`${layer} `) && (await found) !== layer) weak.push(key.slice(layer.length + 1));
  return weak;
}

async function tryLayers(strongest: Layer, sandbox: Sandbox, program: KnownProgram): Promise<Layer> {
  for (const layer of [strongest, 'no-new-rights'] as const) {
    if (
      await starts(
        buildConfinedCommand(layer, sandbox, { ...program, args: program.versionArgs }),
        program.env,
      )
    )
      return layer;
  }
  return 'none';
}

async function starts({ program, args }: Command, env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await promisify(execFile)(program, [...args], { env, timeout: LIMIT_MS, killSignal: 'SIGKILL' });
    return true;
  } catch {
    return false;
  }
}
