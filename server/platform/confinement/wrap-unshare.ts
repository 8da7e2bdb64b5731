import { dirname } from 'node:path';
import { isInside, type Mount, type MountPlan, type Sandbox } from './mount-plan';
import { CLEAN_ENVIRONMENT } from './wrap-bubblewrap';

/** The new root is built over it, so nothing below it can be bound. */
const BUILD_FOLDER = '/sys';
const ROOT_SIZE_MIB = 4;

interface Namespaces {
  /** Whether to create a user namespace, which allows the others without root. */
  readonly userNamespace: boolean;
  /** Whether the namespace gets its own /proc that shows no other processes. */
  readonly ownProc: boolean;
}

/** The util-linux command and arguments that precede the confined program's. */
export function wrapWithUnshare(plan: MountPlan, sandbox: Sandbox, how: Namespaces): string[] {
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', ...(sandbox.network ? [] : ['--net'])];
  // The kernel kills the namespace with its parent, and `unshare` when the gateway dies.
  return [
    ...['setpriv', '--pdeathsig', 'KILL'],
    ...['unshare', ...(how.userNamespace ? ['--user', '--map-root-user'] : []), ...namespaces],
    ...['--fork', '--kill-child', 'sh', '-c', writeScript(plan, sandbox, how), 'sh'],
  ];
}

/**
 * The script runs as the namespace's first process and stays, so the program gets signals as usual.
 */
function writeScript(plan: MountPlan, sandbox: Sandbox, { userNamespace, ownProc }: Namespaces): string {
  const isWhole = plan.mounts[0]?.path === '/';
  const root = isWhole ? `${BUILD_FOLDER}/root` : BUILD_FOLDER;
  const at = (path: string) => quote(path === '/' ? root : root + path);
  const temporary = (sizeMib: number) => `mount -n -t tmpfs -o size=${sizeMib}m,mode=755 none`;
  const lines = [
    'set -e',
    // The setup runs no program from the caller's PATH.
    'path=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    `${temporary(ROOT_SIZE_MIB)} ${BUILD_FOLDER}`,
    ...(isWhole ? [`mkdir ${root}`] : []),
  ];
  const folders = ['/dev', '/proc', '/etc', sandbox.cwd];
  const steps: string[] = [];
  const readOnly: string[] = isWhole ? [] : ['/'];
  for (const mount of plan.mounts) {
    const { path } = mount;
    if (needsMountPoint(plan.mounts, path)) {
      const folder = isFile(mount) ? dirname(path) : path;
      if (isWhole || isBelowHidden(plan.mounts, path)) steps.push(`mkdir -p ${at(folder)}`);
      else folders.push(folder);
      if (isFile(mount)) steps.push(`: > ${at(path)}`);
    }
    if (mount.kind === 'bind') {
      const options = mount.writable ? '' : ` -o ${['ro', ...mount.options].join(',')}`;
      steps.push(`mount -n --rbind${options} ${quote(path)} ${at(path)}`);
    }
    if (mount.kind === 'readonly')
      steps.push(`mount -n -o ${['remount', 'bind', 'ro', ...mount.options].join(',')} ${at(path)}`);
    if (mount.kind === 'temporary') steps.push(`${temporary(mount.sizeMib)} ${at(path)}`);
    // It may have been removed since the plan was made.
    if (mount.kind === 'hide' && mount.file)
      steps.push(`[ ! -e ${at(path)} ] || mount -n --bind /dev/null ${at(path)}`);
    if (mount.kind === 'hide' && !mount.file) {
      steps.push(`${temporary(1)} ${at(path)}`);
      readOnly.unshift(path);
    }
  }
  if (!isWhole) lines.push(`mkdir -p ${[...new Set(folders)].map(at).join(' ')}`);
  for (const path of plan.copies) lines.push(`cp -R -P ${quote(path)} ${at(path)}`);
  lines.push(...steps);
  if (isWhole) lines.push(`${temporary(1)} ${at('/dev')}`);
  lines.push(`: > ${plan.devices.map(at).join('; : > ')}; ln -s /proc/self/fd ${at('/dev/fd')}`);
  for (const path of plan.devices) lines.push(`mount -n --bind ${quote(path)} ${at(path)}`);
  lines.push(
    `mount -n ${ownProc ? '-t proc -o nosuid,nodev,noexec proc' : '--rbind /proc'} ${at('/proc')}`,
    `cd ${root}`,
    'pivot_root . .',
    'umount -n -l .',
    ...[...(isWhole ? ['/dev'] : []), ...readOnly].map(
      (path) => `mount -n -o remount,bind,ro ${quote(path)}`,
    ),
    // Forbids further namespaces, in which a process would regain capabilities. Without a user
    // namespace this limit would be the machine's.
    ...(userNamespace && !sandbox.nested
      ? ['{ echo 0 > /proc/sys/user/max_user_namespaces; } 2> /dev/null || :']
      : []),
    ...protectProc(sandbox),
    `cd ${quote(sandbox.cwd)}`,
    'PATH=$path',
    `${[...(userNamespace && sandbox.nested ? leaveRoot : []), ...dropRights, ...CLEAN_ENVIRONMENT].join(' ')} "$@"`,
    'exit $?',
  );
  return lines.join('\n');
}

/**
 * Kernel settings belong to the machine's root, and a process that root started still has its uid.
 */
function protectProc({ nested }: Sandbox): string[] {
  if (!nested) return ['mount -n -o remount,bind,ro,nosuid,nodev,noexec /proc'];
  return ['sys', 'sysrq-trigger', 'irq', 'bus'].map(
    (name) => `[ ! -e /proc/${name} ] || mount -n --rbind -o ro /proc/${name} /proc/${name}`,
  );
}

const dropRights = [
  'setpriv',
  '--no-new-privs',
  '--inh-caps=-all',
  '--ambient-caps=-all',
  '--bounding-set=-all',
];

/** Maps to a non-root user with the same files: Chromium refuses its sandbox to root, even here. */
const leaveRoot = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];

/** A bound folder already contains its mount points; in an empty one they must be created. */
function needsMountPoint(mounts: readonly Mount[], path: string): boolean {
  if (path === '/') return false;
  const owner = mounts.filter((mount) => isInside(path, mount.path)).at(-1);
  return owner === undefined || owner.kind === 'hide' || owner.kind === 'temporary';
}

function isBelowHidden(mounts: readonly Mount[], path: string): boolean {
  return mounts.some((mount) => mount.kind !== 'bind' && isInside(path, mount.path));
}

function isFile(mount: Mount): boolean {
  return (mount.kind === 'bind' || mount.kind === 'hide') && mount.file;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
