import type { Logger } from '../../kit/log';
import { listWeaklyConfinedPrograms } from './confine-program';
import { type Confinement, findConfinement } from './confinement';
import type { Layer } from './layers';
import type { Facts } from './probe-layer';

/** What confines untrusted code on this machine, for the operator to read. */
export interface ConfinementReport {
  layer: Layer;
  node_permissions: boolean;
  /** The protections that hold. */
  protections: string[];
  /** The protections that are missing and what that means; empty where all hold. */
  warnings: string[];
}

/**
 * For each ability that untrusted code must not have: the text if it lacks it, and if it has it.
 */
const PROTECTION_TEXTS: Record<Exclude<keyof Facts, 'scratch'>, [protection: string, warning: string]> = {
  files: [
    'without the data folder and settings',
    'Untrusted code that breaks out of its library can read the data folder and the settings.',
  ],
  environment: [
    "without the gateway's environment variables",
    "Untrusted code that breaks out of its library can read the gateway's environment variables.",
  ],
  processes: [
    'without access to other processes',
    'Untrusted code that breaks out of its library can see other processes.',
  ],
  writing: [
    'with read-only files',
    "Untrusted code that breaks out of its library can change the gateway's files.",
  ],
  network: [
    'without network access',
    'Untrusted code that breaks out of its library can reach the network, including the database.',
  ],
  privileges: ['without new privileges', 'Untrusted code may gain privileges by starting other programs.'],
};

const LAYER_TEXTS: Record<Layer, string> = {
  bubblewrap: 'in its own namespaces (bubblewrap)',
  namespaces: 'in its own namespaces (util-linux)',
  'root-namespaces': 'in its own namespaces (created as root)',
  'shared-proc-namespaces': 'in its own namespaces (util-linux)',
  'no-new-rights': 'as an ordinary process of the gateway',
  none: 'as an ordinary process of the gateway',
};

export async function getConfinementReport(): Promise<ConfinementReport> {
  const report = describeConfinement(await findConfinement());
  const weak = (await listWeaklyConfinedPrograms()).map(
    (program) => `${program} does not start in namespaces: it runs as an ordinary process of the gateway.`,
  );
  return { ...report, warnings: [...report.warnings, ...weak] };
}

/** Logs what confines untrusted code in one line; where all holds, only production needs it. */
export async function logConfinement(
  log: Pick<Logger, 'debug' | 'info' | 'warn'>,
  production: boolean,
): Promise<void> {
  const { layer, protections, warnings } = await getConfinementReport();
  const fields = { layer, untrustedCodeRuns: protections.join(', ') };
  if (warnings.length === 0) log[production ? 'info' : 'debug']('confinement.ready', fields);
  else log.warn('confinement.weak', { ...fields, warnings });
}

/** Describes a confinement in words. Pure. */
export function describeConfinement({ layer, facts, nodePermissions }: Confinement): ConfinementReport {
  const names = Object.keys(PROTECTION_TEXTS) as (keyof typeof PROTECTION_TEXTS)[];
  const held = names.filter((name) => !facts[name]).map((name) => PROTECTION_TEXTS[name][0]);
  const open = names.filter((name) => facts[name]).map((name) => PROTECTION_TEXTS[name][1]);
  return {
    layer,
    node_permissions: nodePermissions,
    protections: [LAYER_TEXTS[layer], ...held, ...(nodePermissions ? ["under Node's permission model"] : [])],
    warnings: open,
  };
}
