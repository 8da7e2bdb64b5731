import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packageFolder = join(root, 'node_modules/@sparticuz/chromium');
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The sandbox needs privileges that root and containers lack; /dev/shm is too small in many. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];
/** A packaged browser also contacts its vendor for updates and components. */
const QUIET_ARGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The package has a browser for this platform only. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

const FONT_SETTINGS = 'gateway-fonts.conf';

/** Playwright's launchOptions for the tests' browser. */
interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * The tests' browser: CHROMIUM_PATH, else the one from npm, the same on each machine, or one on the
 * machine if npm has none. Only locates it; `prepareBrowser` must run before it is started.
 */
export function findBrowser(): Browser {
  const env = definedOnly(process.env);
  const own = process.env.CHROMIUM_PATH?.trim() || (isPackaged ? undefined : findOnPath());
  if (own) return { executablePath: own, args: [...ARGS, ...QUIET_ARGS], env };
  const folder = unpackedFolder();
  const libraries = join(folder, 'al2023/lib');
  return {
    executablePath: join(folder, 'chromium'),
    args: ARGS,
    env: {
      ...env,
      // Built for Amazon Linux: it includes libraries that a slim system lacks.
      LD_LIBRARY_PATH: [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: join(folder, FONT_SETTINGS),
    },
  };
}

/**
 * Unpacks the browser from npm if it is the one to use. Runs once, before any worker starts.
 * @throws Error if there is no browser for this machine
 */
export function prepareBrowser(): void {
  const { executablePath } = findBrowser();
  const folder = unpackedFolder();
  const ours = executablePath === join(folder, 'chromium');
  if (!existsSync(executablePath)) {
    if (!ours)
      throw new Error(`CHROMIUM_PATH is ${executablePath}, but there is no browser. Correct or unset it.`);
    unpack(folder);
  }
  if (ours) writeFileSync(join(folder, FONT_SETTINGS), fontSettings(folder));
}

function unpack(folder: string): void {
  if (!isPackaged) throw new Error('No browser was found. Install Chromium or Chrome, or set CHROMIUM_PATH.');
  const staging = `${folder}.${process.pid}`;
  // The package always unpacks into the temporary folder, so a child process gets its own.
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'e2e/support/unpack-chromium.mjs')], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: staging },
  });
  if (status !== 0) throw new Error(`The browser could not be unpacked:\n${stderr}`);
  try {
    renameSync(staging, folder);
  } catch (error) {
    // Another run was faster and created the same folder.
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * The package's own settings only look for fonts in Amazon Linux folders, so no text would render.
 */
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

/** Named by version, so that an update unpacks again. */
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
