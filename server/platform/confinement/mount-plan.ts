import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { getHiddenFiles } from './places';

/** What a confined process may use. */
export interface Sandbox {
  /**
   * Files and folders that it reads. With `system: 'minimal'` the system's programs and libraries
   * come on top.
   */
  readonly read: readonly string[];
  /** Folders that it reads and writes. */
  readonly write: readonly string[];
  /** Hidden in addition to the gateway's files, where a folder around them is visible. */
  readonly hide: readonly string[];
  /** Whether it has the machine's network; without, it has no interface at all. */
  readonly network: boolean;
  /**
   * `whole`: all files of the machine but the gateway's own, read only. For programs that the
   * operator chose.
   */
  readonly system: 'minimal' | 'whole';
  /** The folder it starts in: one that it can see. */
  readonly cwd: string;
  /**
   * Runs as an ordinary user of its own namespace, which may make more namespaces: Chromium's
   * sandbox needs both.
   */
  readonly nested?: boolean;
}

/** One step of building the file system that a confined process sees, by absolute path. */
export type Mount =
  | { kind: 'bind'; path: string; writable: boolean; file: boolean; options: readonly string[] }
  /** An empty folder, or an empty file, in place of what is there. */
  | { kind: 'hide'; path: string; file: boolean }
  | { kind: 'temporary'; path: string; sizeMib: number }
  /** A mount inside of a folder that is bound read only. */
  | { kind: 'readonly'; path: string; options: readonly string[] };

export interface MountPlan {
  /** In the order of mounting: a deeper path covers part of a shallower one. */
  readonly mounts: readonly Mount[];
  /** Symbolic links and small files of the system, copied into the root. */
  readonly copies: readonly string[];
  readonly devices: readonly string[];
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
/** Programs and libraries; the last is that of NixOS. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/** Of /etc only what the dynamic linker, fonts and clocks need. */
const SYSTEM_FILES = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'fonts', 'localtime'];
/** Of a machine that is seen whole: sockets of other services, and files of other programs. */
const PRIVATE_FOLDERS = ['/tmp', '/run'];
const TEMPORARY_MIB = 64;
/** Flags of a mount that a user namespace may not take away. */
const LOCKED_OPTIONS = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']);

/** The file system for a sandbox on this machine, as it is now. */
export function planMounts(sandbox: Sandbox): MountPlan {
  const machine = readMachineMounts();
  const whole = sandbox.system === 'whole';
  const mounts = new Map<string, Mount>();
  const bind = (given: string, writable: boolean) => {
    const path = toRealPath(given);
    if (path === null) return;
    const file = !statSync(path).isDirectory();
    mounts.set(path, { kind: 'bind', path, writable, file, options: machine.optionsOf(path) });
  };
  const systemFolders = whole ? ['/'] : SYSTEM_FOLDERS.filter(isRealFolder);
  for (const folder of systemFolders) bind(folder, false);
  for (const path of sandbox.read) bind(path, false);
  if (whole)
    for (const path of PRIVATE_FOLDERS.filter(isRealFolder))
      mounts.set(path, { kind: 'temporary', path, sizeMib: TEMPORARY_MIB });
  // After what is read: where both name one folder, it stays hidden.
  for (const path of [...getHiddenFiles(), ...sandbox.hide.flatMap((given) => toRealPath(given) ?? [])])
    mounts.set(path, { kind: 'hide', path, file: !statSync(path).isDirectory() });
  // A link is none of ours: a worker that was taken over could have put it in place of a call's
  // folder.
  for (const path of sandbox.write.filter(isRealFolder)) bind(path, true);
  const ordered = [...mounts.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path));
  return {
    mounts: withSubmounts(dropUseless(ordered), machine.mounts),
    copies: whole ? [] : findCopies(),
    devices: DEVICES.filter((path) => existsSync(path)),
  };
}

/** Hiding what is not there, or binding what is there already, would only cost time. */
function dropUseless(mounts: readonly Mount[]): Mount[] {
  return mounts.filter((mount) => {
    const owner = findOwner(mounts, mount.path);
    if (mount.kind === 'hide') return owner?.kind === 'bind';
    return mount.kind !== 'bind' || mount.writable || owner?.kind !== 'bind' || owner.writable;
  });
}

/** The deepest mount around a path. */
function findOwner(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.filter((mount) => isInside(path, mount.path)).at(-1);
}

/**
 * A bind takes along what is mounted below it, writable as it was: each of these is made read only
 * too.
 */
function withSubmounts(mounts: readonly Mount[], machine: readonly MachineMount[]): Mount[] {
  const added: Mount[] = [];
  for (const { path, options } of machine) {
    if (mounts.some((mount) => mount.path === path) || /^\/(proc|dev|sys)(\/|$)/.test(path)) continue;
    const owner = findOwner(mounts, path);
    if (owner?.kind === 'bind' && !owner.writable) added.push({ kind: 'readonly', path, options });
  }
  return [...mounts, ...added].sort((a, b) => depthOf(a.path) - depthOf(b.path));
}

function findCopies(): string[] {
  const links = SYSTEM_FOLDERS.filter((path) => existsSync(path) && lstatSync(path).isSymbolicLink());
  return [...links, ...SYSTEM_FILES.map((name) => `/etc/${name}`).filter((path) => existsSync(path))];
}

interface MachineMount {
  path: string;
  options: readonly string[];
}

/** What is mounted here, with the flags that a read-only remount has to repeat. */
function readMachineMounts() {
  const mounts: MachineMount[] = [];
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [, , , , path, options] = line.split(' ');
    if (path === undefined || options === undefined) continue;
    mounts.push({
      path: path.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
      options: options.split(',').filter((option) => LOCKED_OPTIONS.has(option)),
    });
  }
  return {
    mounts,
    optionsOf: (path: string) =>
      mounts
        .filter((mount) => mount.path === path || isInside(path, mount.path))
        .sort(byDepth)
        .at(-1)?.options ?? [],
  };
}

function byDepth(a: MachineMount, b: MachineMount): number {
  return depthOf(a.path) - depthOf(b.path);
}

export function toRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isRealFolder(path: string): boolean {
  return existsSync(path) && lstatSync(path).isDirectory();
}

export function isInside(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function depthOf(path: string): number {
  return path.split(sep).filter(Boolean).length;
}
