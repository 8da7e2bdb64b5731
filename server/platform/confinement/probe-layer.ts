import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getHiddenFiles } from './folders';
import { buildConfinedCommand, hasNamespaces, type Layer } from './layers';
import { nodePermissions } from './node-permissions';
import { workerSandbox } from './sandboxes';

/**
 * What a confined process was able to do. Only `scratch`, using the folders of calls, is wanted.
 */
export interface Facts {
  readonly files: boolean;
  readonly environment: boolean;
  readonly processes: boolean;
  readonly writing: boolean;
  readonly scratch: boolean;
  readonly network: boolean;
  /** Gaining or holding privileges that ordinary processes lack. */
  readonly privileges: boolean;
}

const PROBE_FILE = 'server/platform/confinement/probe.mjs';
const NATIVE_MODULES_FILE = 'server/platform/confinement/native-modules.mjs';
/** A busy machine takes seconds to start a process. */
const LIMIT_MS = 30_000;

/**
 * Starts a process the way a worker is started; it tries everything it must not be able to do.
 * @returns null if it does not start
 */
export async function probeLayer(layer: Layer): Promise<Facts | null> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-probe-'));
  const outside = mkdtempSync(join(tmpdir(), 'gateway-secret-'));
  try {
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'secret');
    const root = process.cwd();
    const given = {
      secrets: [secret, ...getHiddenFiles()],
      parent: describeParent(),
      scratch: folder,
      root,
    };
    const args = [join(/* turbopackIgnore: true */ root, PROBE_FILE), JSON.stringify(given)];
    const sandbox = workerSandbox([folder]);
    const facts: Facts = JSON.parse(
      await run(buildConfinedCommand(layer, sandbox, { program: process.execPath, args })),
    );
    return facts.scratch ? facts : null;
  } catch {
    return null;
  } finally {
    for (const path of [folder, outside]) rmSync(path, { recursive: true, force: true });
  }
}

/** Whether a layer enforces every restriction that it should. */
export function isStrong(layer: Layer, facts: Facts): boolean {
  const { files, environment, processes, writing, network, privileges } = facts;
  const seen = processes && layer !== 'shared-proc-namespaces';
  return hasNamespaces(layer) && !(files || environment || seen || writing || network || privileges);
}

/** Whether the native modules that workers load still work under Node's permission model. */
export async function probeNodePermissions(layer: Layer): Promise<boolean> {
  const sandbox = workerSandbox();
  const file = join(/* turbopackIgnore: true */ process.cwd(), NATIVE_MODULES_FILE);
  const args = [...nodePermissions(sandbox, layer), file];
  try {
    return (await run(buildConfinedCommand(layer, sandbox, { program: process.execPath, args }))) === 'ok';
  } catch {
    return false;
  }
}

function describeParent() {
  const { pid } = process;
  if (process.platform !== 'linux') return { pid, words: '', network: '' };
  return {
    pid,
    words: readFileSync('/proc/self/cmdline', 'utf8'),
    network: readlinkSync('/proc/self/ns/net'),
  };
}

async function run({ program, args }: { program: string; args: readonly string[] }): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], {
    env: { NODE_ENV: 'production' },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return stdout;
}
