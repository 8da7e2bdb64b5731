import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packageFolder = join(root, 'node_modules/@sparticuz/chromium');
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The sandbox needs rights that root and containers do not have; /dev/shm is too small in many. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];
/** A packaged browser also asks its maker for updates and components. */
const QUIET_ARGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const FONT_SETTINGS = 'gateway-fonts.conf';

/** How the tests' browser is started: what Playwright takes as launchOptions. */
interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * The browser of the tests: CHROMIUM_PATH, else one on the machine, else the one that comes from npm.
 * Says where it is; `prepareBrowser` must have run before it is started.
 */
export function findBrowser(): Browser {
  const env = definedOnly(process.env);
  const own = process.env.CHROMIUM_PATH?.trim() || findOnPath();
  if (own) return { executablePath: own, args: [...ARGS, ...QUIET_ARGS], env };
  const folder = unpackedFolder();
  const libraries = join(folder, 'al2023/lib');
  return {
    executablePath: join(folder, 'chromium'),
    args: ARGS,
    env: {
      ...env,
      // Built for Amazon's Linux: it brings the libraries that a slim system does not have.
      LD_LIBRARY_PATH: [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(folder, FONT_SETTINGS),
    },
  };
}

/**
 * Unpacks the browser from npm where it is the one to use: once, before any worker starts.
 * @throws Error where there is no browser for this machine
 */
export function prepareBrowser(): void {
  const { executablePath } = findBrowser();
  const folder = unpackedFolder();
  const ours = executablePath === join(folder, 'chromium');
  if (!existsSync(executablePath)) {
    if (!ours) throw new Error(`CHROMIUM_PATH is ${executablePath}, where there is no browser.`);
    unpack(folder);
  }
  if (ours) writeFileSync(join(folder, FONT_SETTINGS), fontSettings(folder));
}

function unpack(folder: string): void {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No browser was found: install Chromium or Chrome, or set CHROMIUM_PATH to one.');
  const staging = `${folder}.${process.pid}`;
  // The package unpacks to the temporary folder, whatever that is: a process of its own gets another one.
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'e2e/support/unpack-chromium.mjs')], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: staging },
  });
  if (status !== 0) throw new Error(`The browser could not be unpacked:\n${stderr}`);
  try {
    renameSync(staging, folder);
  } catch (error) {
    // Another run was faster: its folder is the same.
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** The package's own settings look for its fonts in folders of Amazon's: no text would be drawn at all. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}

/** By version, so that an update unpacks again. */
function unpackedFolder(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return join(root, '.cache', `chromium-${version}`);
}

function findOnPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
