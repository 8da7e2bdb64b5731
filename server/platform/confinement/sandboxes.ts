import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isInside, type Sandbox, toRealPath } from './mount-plan';
import { getScratchFolders } from './places';

/**
 * What a worker imports: the modules of tools and assets, and libraries. Without settings and built
 * pages.
 */
const WORKER_READS = ['server', 'node_modules', 'package.json'];

/** Of the system; a browser without it would read all fonts with each start. */
const FONT_CACHE = '/var/cache/fontconfig';

/**
 * Links into /run, which is hidden with its sockets: the name servers of systemd, the programs of
 * NixOS.
 */
const OF_THE_RUNNING_SYSTEM = ['/etc/resolv.conf', '/run/current-system'];

/**
 * For the processes that compute: the tools' code, the folders of calls, nothing else, and no
 * network.
 */
export function workerSandbox(scratch: readonly string[] = getScratchFolders()): Sandbox {
  return { ...minimal, read: [process.execPath, ...ownFiles()], write: scratch, ...inProject() };
}

/** For a program that reads a caller's files: the folders of this call alone. */
export function mediaSandbox(program: string, folders: readonly string[]): Sandbox {
  return { ...minimal, read: programFiles(program), write: folders, ...inProject(), cwd: '/' };
}

/**
 * For the browser with its driver: the network, where its proxy is, and the folders of calls, for
 * pictures.
 */
export function browserSandbox(program: string, own: readonly string[]): Sandbox {
  const read = [process.execPath, ...ownFiles(), ...programFiles(program), FONT_CACHE];
  const write = [...getScratchFolders(), ...own];
  return { ...minimal, read, write, ...inProject(), network: true, nested: true };
}

/**
 * For a program that the operator chose: the machine's files without the gateway's and the user's,
 * and one folder to write.
 */
export function importedSandbox(command: string, args: readonly string[], folder: string): Sandbox {
  const given = [command, ...args];
  const read = [
    ...findNamed(given, '/tmp'),
    ...findNamed(given, homedir()),
    ...findInstalled(),
    ...OF_THE_RUNNING_SYSTEM,
  ];
  const home = toRealPath(homedir());
  const hide = [...findEnvFiles(process.cwd()), ...(home === null || home === '/' ? [] : [home])];
  return { read, write: [folder], hide, network: true, system: 'whole', cwd: folder };
}

/**
 * What is installed in the user's home, where keys and logins of other services are too: the
 * folders of PATH with what lies next to them (`~/.local`, `~/.nvm/versions/node/v22`).
 */
function findInstalled(): string[] {
  const home = homedir();
  const folders = (process.env.PATH ?? '').split(':').filter((path) => isInside(path, home));
  return folders.map((path) => (dirname(path) === home ? path : dirname(path)));
}

/** What the operator named below a folder: `/tmp/project` for `/tmp/project/dist/index.js`. */
function findNamed(given: readonly string[], below: string): string[] {
  return given
    .filter((path) => isInside(path, below))
    .map((path) => join(/* turbopackIgnore: true */ below, relative(below, path).split(sep)[0] ?? ''));
}

const minimal = { network: false, system: 'minimal' } as const;

/**
 * The checkout holds settings, and by default the data folder; what is needed of it is named above.
 */
function inProject() {
  return { hide: [process.cwd()], cwd: process.cwd() };
}

function ownFiles(): string[] {
  return WORKER_READS.map((name) => join(/* turbopackIgnore: true */ process.cwd(), name));
}

/** A program and its folder, for what lies next to it, but no folder that holds much else. */
function programFiles(program: string): string[] {
  const real = isAbsolute(program) ? toRealPath(program) : null;
  if (real === null) return [];
  const folder = dirname(real);
  return folder === homedir() || dirname(folder) === '/' ? [real] : [folder, real];
}

/** The settings of a checkout: `.env`, `.env.local` and the like. */
function findEnvFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('.env') && name !== '.env.example')
    .map((name) => join(/* turbopackIgnore: true */ folder, name));
}
