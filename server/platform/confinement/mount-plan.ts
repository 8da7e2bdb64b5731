import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';
import { getHiddenFiles } from './folders';

/** What a confined process may use. */
export interface Sandbox {
  /**
   * Files and folders that it reads. `system: 'minimal'` adds the system's programs and libraries.
   */
  readonly read: readonly string[];
  /** Folders that it reads and writes. */
  readonly write: readonly string[];
  /** Hidden in addition to the gateway's files, if a folder around them is visible. */
  readonly hide: readonly string[];
  /** Whether it shares the machine's network; otherwise it has no network interface at all. */
  readonly network: boolean;
  /** `whole`: all files of the machine except the gateway's, read only; for imported programs. */
  readonly system: 'minimal' | 'whole';
  /** The folder it starts in, which must be visible to it. */
  readonly cwd: string;
  /**
   * Runs as an ordinary user of its own namespace and may create more namespaces: Chromium's
   * sandbox needs both.
   */
  readonly nested?: boolean;
}

/** One step of building the file system that a confined process sees, by absolute path. */
export type Mount =
  | { kind: 'bind'; path: string; writable: boolean; file: boolean; options: readonly string[] }
  /** An empty folder or file that covers the existing one. */
  | { kind: 'hide'; path: string; file: boolean }
  | { kind: 'temporary'; path: string; sizeMib: number }
  /** A mount inside a folder that is bound read only. */
  | { kind: 'readonly'; path: string; options: readonly string[] };

export interface MountPlan {
  /** In mount order: a deeper path covers part of a shallower one. */
  readonly mounts: readonly Mount[];
  /** Symbolic links and small files of the system, copied into the root. */
  readonly copies: readonly string[];
  readonly devices: readonly string[];
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
/** Programs and libraries; the last folder is that of NixOS. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/** The part of /etc that the dynamic linker, fonts and clocks need. */
const SYSTEM_FILES = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'fonts', 'localtime'];
/**
 * Replaced by empty folders where the whole machine is visible: other services' sockets and files.
 */
const PRIVATE_FOLDERS = ['/tmp', '/run'];
const TEMPORARY_MIB = 64;
/** Mount flags that a user namespace may not remove. */
const LOCKED_OPTIONS = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']);

/** Plans the file system of a sandbox from the machine's current mounts. */
export function planMounts(sandbox: Sandbox): MountPlan {
  const machine = readMachineMounts();
  const whole = sandbox.system === 'whole';
  const mounts = new Map<string, Mount>();
  const bind = (given: string, writable: boolean) => {
    const path = toRealPath(given);
    if (path === null) return;
    const file = !statPath(path)?.isDirectory();
    mounts.set(path, { kind: 'bind', path, writable, file, options: machine.getOptions(path) });
  };
  const systemFolders = whole ? ['/'] : SYSTEM_FOLDERS.filter(isRealFolder);
  for (const folder of systemFolders) bind(folder, false);
  for (const path of sandbox.read) bind(path, false);
  if (whole)
    for (const path of PRIVATE_FOLDERS.filter(isRealFolder))
      mounts.set(path, { kind: 'temporary', path, sizeMib: TEMPORARY_MIB });
  // After the reads: a folder that is both read and hidden stays hidden.
  for (const path of [...getHiddenFiles(), ...sandbox.hide.flatMap((given) => toRealPath(given) ?? [])])
    mounts.set(path, { kind: 'hide', path, file: !statPath(path)?.isDirectory() });
  // Skips symbolic links: a compromised worker could have replaced a call's folder with one.
  for (const path of sandbox.write.filter(isRealFolder)) bind(path, true);
  const ordered = [...mounts.values()].sort((a, b) => getDepth(a.path) - getDepth(b.path));
  return {
    mounts: withSubmounts(dropRedundant(ordered), machine.mounts),
    copies: whole ? [] : findCopies(),
    devices: DEVICES.filter(statPath),
  };
}

/** Drops mounts without effect, such as hiding what is not visible or binding what already is. */
function dropRedundant(mounts: readonly Mount[]): Mount[] {
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

/** A read-only bind leaves the mounts below it writable, so each of them is made read only too. */
function withSubmounts(mounts: readonly Mount[], machine: readonly MachineMount[]): Mount[] {
  const added: Mount[] = [];
  for (const { path, options } of machine) {
    if (mounts.some((mount) => mount.path === path) || /^\/(proc|dev|sys)(\/|$)/.test(path)) continue;
    const owner = findOwner(mounts, path);
    if (owner?.kind === 'bind' && !owner.writable) added.push({ kind: 'readonly', path, options });
  }
  return [...mounts, ...added].sort((a, b) => getDepth(a.path) - getDepth(b.path));
}

function findCopies(): string[] {
  const links = SYSTEM_FOLDERS.filter((path) => lstatPath(path)?.isSymbolicLink());
  return [...links, ...SYSTEM_FILES.map((name) => `/etc/${name}`).filter(statPath)];
}

interface MachineMount {
  path: string;
  options: readonly string[];
}

/** The machine's mounts, with the flags that a read-only remount must repeat. */
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
    getOptions: (path: string) =>
      mounts
        .filter((mount) => mount.path === path || isInside(path, mount.path))
        .sort(byDepth)
        .at(-1)?.options ?? [],
  };
}

function byDepth(a: MachineMount, b: MachineMount): number {
  return getDepth(a.path) - getDepth(b.path);
}

export function toRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

// Without the comment, Turbopack adds every file of the project to the build.
const statPath = (path: string): Stats | undefined =>
  statSync(/*turbopackIgnore: true*/ path, { throwIfNoEntry: false });

const lstatPath = (path: string): Stats | undefined =>
  lstatSync(/*turbopackIgnore: true*/ path, { throwIfNoEntry: false });

function isRealFolder(path: string): boolean {
  return lstatPath(path)?.isDirectory() ?? false;
}

export function isInside(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function getDepth(path: string): number {
  return path.split(sep).filter(Boolean).length;
}
