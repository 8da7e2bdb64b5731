import { constants } from 'node:os';
import { buildConfinedCommand, type Command, hasNamespaces, LAYERS, type Layer } from './layers';
import type { Sandbox } from './mount-plan';
import { nodePermissions } from './node-permissions';
import { type Facts, isStrong, probeLayer, probeNodePermissions } from './probe-layer';

/** How this machine confines processes that handle untrusted bytes, as found by probing. */
export interface Confinement {
  readonly layer: Layer;
  /** What a process under that layer can still do. */
  readonly facts: Facts;
  /** Whether workers run under Node's permission model too. */
  readonly nodePermissions: boolean;
}

interface Options {
  /** The layers to choose from; tests pass weaker ones on machines that have stronger ones. */
  readonly layers: readonly Layer[];
  readonly nodePermissions: boolean;
}

const ALL: Options = { layers: LAYERS, nodePermissions: true };
const NOTHING_CONFINED: Facts = {
  files: true,
  environment: true,
  processes: true,
  writing: true,
  scratch: true,
  network: true,
  privileges: true,
};

interface ConfinementState {
  found: Promise<Confinement> | undefined;
  options: Options;
}

// In globalThis because Next bundles this module more than once; the machine is probed once.
const processSingleton = globalThis as typeof globalThis & { __toolGatewayConfinement?: ConfinementState };

function getState(): ConfinementState {
  processSingleton.__toolGatewayConfinement ??= { found: undefined, options: ALL };
  return processSingleton.__toolGatewayConfinement;
}

/** Returns the strongest confinement that works here; the first call probes it. Never rejects. */
export function findConfinement(): Promise<Confinement> {
  const current = getState();
  current.found ??= probe(current.options);
  return current.found;
}

/** For tests: forgets the probed result and limits the layers to choose from. */
export function limitConfinement(options: Partial<Options> = {}): void {
  Object.assign(getState(), { found: undefined, options: { ...ALL, ...options } });
}

async function probe({ layers, nodePermissions: wanted }: Options): Promise<Confinement> {
  const { layer, facts } = await chooseLayer(layers);
  return { layer, facts, nodePermissions: wanted && (await probeNodePermissions(layer)) };
}

async function chooseLayer(layers: readonly Layer[]): Promise<Pick<Confinement, 'layer' | 'facts'>> {
  for (const layer of process.platform === 'linux' ? layers : (['none'] as const)) {
    const facts = await probeLayer(layer);
    if (facts && (isStrong(layer, facts) || !hasNamespaces(layer))) return { layer, facts };
  }
  return { layer: 'none', facts: NOTHING_CONFINED };
}

/** Builds the command that starts Node, confined as far as this machine allows. */
export function confineNode(
  { layer, nodePermissions: allowed }: Confinement,
  sandbox: Sandbox,
  options: readonly string[],
): Command {
  const permissions = allowed ? nodePermissions(sandbox, layer) : [];
  return buildConfinedCommand(layer, sandbox, {
    program: process.execPath,
    args: [...permissions, ...options],
  });
}

/**
 * The signal that ended a confined process. The wrapper programs report it as a shell does, by an
 * exit code of 128 plus the signal's number.
 */
export function readEndSignal(code: number | null, signal: NodeJS.Signals | null): NodeJS.Signals | null {
  if (signal !== null || code === null || code <= 128) return signal;
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find((name) => constants.signals[name] === code - 128) ?? null;
}

/**
 * Whether a process under this layer can see its parent. In its own PID namespace it cannot; the
 * kernel ends it with its parent, so it has nothing to watch.
 */
export function sharesProcesses({ layer }: Confinement): boolean {
  return !hasNamespaces(layer);
}
