import { constants } from 'node:os';
import { type Command, hasNamespaces, LAYERS, type Layer, wrapIn } from './layers';
import type { Sandbox } from './mount-plan';
import { nodePermissions } from './node-permissions';
import { type Facts, isStrong, probeLayer, probeNodePermissions } from './probe-layer';

/** How this machine confines what handles untrusted bytes, as it was found by trying. */
export interface Confinement {
  readonly layer: Layer;
  /** What a process under that layer could still do. */
  readonly facts: Facts;
  /** Whether workers run under Node's permission model too. */
  readonly nodePermissions: boolean;
}

interface Options {
  /** The layers to choose from; for tests, on machines that have stronger ones. */
  readonly layers: readonly Layer[];
  readonly nodePermissions: boolean;
}

const ALL: Options = { layers: LAYERS, nodePermissions: true };
const NOTHING_HELD: Facts = {
  files: true,
  environment: true,
  processes: true,
  writing: true,
  scratch: true,
  network: true,
  privileges: true,
};

interface Slot {
  found: Promise<Confinement> | undefined;
  options: Options;
}

// In globalThis because Next bundles this module more than once, and the machine is probed once.
const slot = globalThis as typeof globalThis & { __toolGatewayConfinement?: Slot };

function getSlot(): Slot {
  slot.__toolGatewayConfinement ??= { found: undefined, options: ALL };
  return slot.__toolGatewayConfinement;
}

/** The strongest confinement that works here; probed with the first question. Never rejects. */
export function findConfinement(): Promise<Confinement> {
  const current = getSlot();
  current.found ??= probe(current.options);
  return current.found;
}

/** Probes again, with fewer layers to choose from. For tests. */
export function limitConfinement(options: Partial<Options> = {}): void {
  Object.assign(getSlot(), { found: undefined, options: { ...ALL, ...options } });
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
  return { layer: 'none', facts: NOTHING_HELD };
}

/**
 * How Node is started for a script of ours inside of a sandbox, as far as this machine can hold it
 * there.
 */
export function confineNode(
  { layer, nodePermissions: allowed }: Confinement,
  sandbox: Sandbox,
  options: readonly string[],
): Command {
  const permissions = allowed ? nodePermissions(sandbox, layer) : [];
  return wrapIn(layer, sandbox, { program: process.execPath, args: [...permissions, ...options] });
}

/**
 * The signal that ended a confined process: what stands between says it as a shell does, by an exit
 * code.
 */
export function readEndSignal(code: number | null, signal: NodeJS.Signals | null): NodeJS.Signals | null {
  if (signal !== null || code === null || code <= 128) return signal;
  const names = Object.keys(constants.signals) as NodeJS.Signals[];
  return names.find((name) => constants.signals[name] === code - 128) ?? null;
}

/**
 * Whether the process sees its parent: in a namespace of its own it ends with that, and has nothing
 * to watch.
 */
export function sharesProcesses({ layer }: Confinement): boolean {
  return !hasNamespaces(layer);
}
