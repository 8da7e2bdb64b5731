import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { getSettingsFolder } from '../../kit/settings-folder.mjs';
import { getScratchFolders } from './folders';
import { isInside, type Sandbox, toRealPath } from './mount-plan';

/**
 * What a worker imports: code of tools and assets, and libraries, but no settings or built pages.
 */
const WORKER_READS = ['server', 'node_modules', 'package.json'];

/** The system's font cache; a browser without it would scan all fonts at each start. */
const FONT_CACHE = '/var/cache/fontconfig';

/** Links into /run, which is hidden for its sockets: systemd's name servers, NixOS's programs. */
const RUNTIME_LINKS = ['/etc/resolv.conf', '/run/current-system'];

/** For processes that compute: the tools' code and the folders of calls, without network access. */
export function workerSandbox(scratch: readonly string[] = getScratchFolders()): Sandbox {
  return { ...minimal, read: [process.execPath, ...listWorkerFiles()], write: scratch, ...hideSettings() };
}

/** For a program that reads a caller's files: only the folders of its call. */
export function mediaSandbox(program: string, folders: readonly string[]): Sandbox {
  return { ...minimal, read: listProgramFiles(program), write: folders, ...hideSettings(), cwd: '/' };
}

/**
 * For the browser and its driver: the network, to reach the proxy, and calls' folders for images.
 */
export function browserSandbox(program: string, own: readonly string[]): Sandbox {
  const read = [process.execPath, ...listWorkerFiles(), ...listProgramFiles(program), FONT_CACHE];
  const write = [...getScratchFolders(), ...own];
  return { ...minimal, read, write, ...hideSettings(), network: true, nested: true };
}

/**
 * For an imported program: the machine's files except the gateway's and the user's, and one
 * writable folder.
 */
export function importedSandbox(command: string, args: readonly string[], folder: string): Sandbox {
  const given = [command, ...args];
  const read = [
    ...findNamed(given, '/tmp'),
    ...findNamed(given, homedir()),
    ...findInstalled(),
    ...RUNTIME_LINKS,
  ];
  const home = toRealPath(homedir());
  const hide = [
    ...findEnvFiles(getSettingsFolder(process.cwd())),
    ...(home === null || home === '/' ? [] : [home]),
  ];
  return { read, write: [folder], hide, network: true, system: 'whole', cwd: folder };
}

/**
 * Programs installed in the user's home, which also holds other services' keys and logins: the
 * folders of PATH with their neighbours (`~/.local`, `~/.nvm/versions/node/v22`).
 */
function findInstalled(): string[] {
  const home = homedir();
  const folders = (process.env.PATH ?? '').split(':').filter((path) => isInside(path, home));
  return folders.map((path) => (dirname(path) === home ? path : dirname(path)));
}

/** Paths of the command, cut to one level below a folder: `/tmp/a` for `/tmp/a/index.js`. */
function findNamed(given: readonly string[], below: string): string[] {
  return given
    .filter((path) => isInside(path, below))
    .map((path) => join(/* turbopackIgnore: true */ below, relative(below, path).split(sep)[0] ?? ''));
}

const minimal = { network: false, system: 'minimal' } as const;

/**
 * Hides the folder of settings, by default also of data: the checkout, of which parts are read.
 */
function hideSettings() {
  const folder = getSettingsFolder(process.cwd());
  return { hide: folder === '/' ? [] : [folder], cwd: process.cwd() };
}

/** An installed gateway has the packages with native parts next to its own folder. */
function listWorkerFiles(): string[] {
  const root = process.cwd();
  const around = dirname(root);
  const own = WORKER_READS.map((name) => join(/* turbopackIgnore: true */ root, name));
  return basename(around) === 'node_modules' ? [around, ...own] : own;
}

/** A program with its folder, for the files next to it, unless that folder holds much else. */
function listProgramFiles(program: string): string[] {
  const real = isAbsolute(program) ? toRealPath(program) : null;
  if (real === null) return [];
  const folder = dirname(real);
  return folder === homedir() || dirname(folder) === '/' ? [real] : [folder, real];
}

/** The settings files in a folder: `.env`, `.env.local` and similar. */
function findEnvFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('.env') && name !== '.env.example')
    .map((name) => join(/* turbopackIgnore: true */ folder, name));
}
