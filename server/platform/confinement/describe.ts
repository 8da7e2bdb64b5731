import type { Logger } from '../../kit/log';
import { listWeakPrograms } from './confine-program';
import { type Confinement, findConfinement } from './confinement';
import type { Layer } from './layers';
import type { Facts } from './probe-layer';

/** What confines untrusted code here, in words for the operator. */
export interface ConfinementReport {
  layer: Layer;
  node_permissions: boolean;
  /** What holds. */
  protections: string[];
  /** What does not hold, with what it means. Empty where everything does. */
  warnings: string[];
}

/**
 * For each thing that untrusted code must not be able to do: what to say where it cannot, and where
 * it can.
 */
const WORDS: Record<Exclude<keyof Facts, 'scratch'>, [protection: string, warning: string]> = {
  files: [
    'without the data folder and settings',
    'Untrusted code that breaks out of its library can read the data folder and the settings.',
  ],
  environment: [
    "without the gateway's environment",
    "Untrusted code that breaks out of its library can read the gateway's environment.",
  ],
  processes: [
    'without sight of other processes',
    'Untrusted code that breaks out of its library sees other processes.',
  ],
  writing: [
    'with read-only files',
    'Untrusted code that breaks out of its library can change files of the gateway.',
  ],
  network: [
    'without a network',
    'Untrusted code that breaks out of its library reaches the network, and so the database.',
  ],
  privileges: ['without new privileges', 'Untrusted code may gain privileges by starting other programs.'],
};

const LAYER_WORDS: Record<Layer, string> = {
  bubblewrap: 'in namespaces of its own (bubblewrap)',
  namespaces: 'in namespaces of its own (util-linux)',
  'root-namespaces': "in namespaces of its own (made with root's rights)",
  'shared-proc-namespaces': 'in namespaces of its own (util-linux)',
  'no-new-rights': 'as a process of the gateway',
  none: 'as a process of the gateway',
};

export async function getConfinementReport(): Promise<ConfinementReport> {
  const report = describeConfinement(await findConfinement());
  const weak = (await listWeakPrograms()).map(
    (program) => `${program} does not start in namespaces: it runs as a process of the gateway.`,
  );
  return { ...report, warnings: [...report.warnings, ...weak] };
}

/** One line of the log with what confines untrusted code. */
export async function logConfinement(log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  const { layer, protections, warnings } = await getConfinementReport();
  const fields = { layer, untrustedCodeRuns: protections.join(', ') };
  if (warnings.length === 0) log.info('confinement.ready', fields);
  else log.warn('confinement.weak', { ...fields, warnings });
}

/** Pure: the words for what was found. */
export function describeConfinement({ layer, facts, nodePermissions }: Confinement): ConfinementReport {
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[];
  const held = names.filter((name) => !facts[name]).map((name) => WORDS[name][0]);
  const open = names.filter((name) => facts[name]).map((name) => WORDS[name][1]);
  return {
    layer,
    node_permissions: nodePermissions,
    protections: [LAYER_WORDS[layer], ...held, ...(nodePermissions ? ["under Node's permission model"] : [])],
    warnings: open,
  };
}
