import { planMounts, type Sandbox } from './mount-plan';
import { wrapWithBubblewrap } from './wrap-bubblewrap';
import { wrapWithUnshare } from './wrap-unshare';

/**
 * What confines a process, strongest first: namespaces by bubblewrap, by util-linux, by util-linux
 * as root, by util-linux with the existing /proc (in containers); then only no new privileges.
 */
export const LAYERS = [
  'bubblewrap',
  'namespaces',
  'root-namespaces',
  'shared-proc-namespaces',
  'no-new-rights',
  'none',
] as const;
export type Layer = (typeof LAYERS)[number];

/** A program with its arguments. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** Builds the command that starts another one in a sandbox, as far as the layer can enforce it. */
export function buildConfinedCommand(layer: Layer, sandbox: Sandbox, { program, args }: Command): Command {
  const [first, ...rest] = [...buildPrefix(layer, sandbox), program, ...args];
  return { program: first ?? program, args: rest };
}

function buildPrefix(layer: Layer, sandbox: Sandbox): string[] {
  switch (layer) {
    case 'bubblewrap':
      return ['bwrap', ...wrapWithBubblewrap(planMounts(sandbox), sandbox)];
    case 'namespaces':
      return wrapWithUnshare(planMounts(sandbox), sandbox, { userNamespace: true, ownProc: true });
    case 'root-namespaces':
      return wrapWithUnshare(planMounts(sandbox), sandbox, { userNamespace: false, ownProc: true });
    case 'shared-proc-namespaces':
      return wrapWithUnshare(planMounts(sandbox), sandbox, { userNamespace: true, ownProc: false });
    case 'no-new-rights':
      return [
        'setpriv',
        '--pdeathsig',
        'KILL',
        '--no-new-privs',
        ...(isRoot() ? DROP_ROOT_CAPABILITIES : []),
      ];
    case 'none':
      return [];
  }
}

const DROP_ROOT_CAPABILITIES = ['--inh-caps=-all', '--bounding-set=-all'];

export function hasNamespaces(layer: Layer): boolean {
  return layer !== 'no-new-rights' && layer !== 'none';
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
