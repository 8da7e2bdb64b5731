// A gateway of the production build for tests: its own data folder, a free port on loopback, none
// of the caller's settings.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runAdmin } from './admin.mjs';
import { killProcess, startNode, stopProcess } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 60_000;
const POSTGRES_STOP_MS = 5_000;
const POLL_MS = 50;
const REMOVALS = 5;
const REMOVAL_PAUSE_MS = 200;

/**
 * @typedef {object} TestGateway
 * @property {string} baseUrl
 * @property {number} pid of its process
 * @property {NodeJS.ProcessEnv} env what its operator's command needs to work beside it
 * @property {() => string} log all it has written
 * @property {() => Promise<void>} stop also removes its data
 * @property {() => Promise<void>} kill ends the process as a crash does; its data and its PostgreSQL stay
 * @property {(...args: string[]) => Promise<any>} admin runs the operator's command, gives back its JSON object
 */

/**
 * Starts one and waits until it answers.
 * @param {Record<string, string>} [settings] on top of the defaults; with DATA_DIR on an earlier
 *   one's data
 * @param {string} [program] `scripts/start.mjs` for one with its supervisor, whose pid is then the
 *   one below
 * @returns {Promise<TestGateway>}
 */
export async function startGateway(settings = {}, program = 'serve.mjs') {
  const dataDir = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'gateway-under-test-'));
  // No test asks a real provider: what it sends goes nowhere, unless it says where to.
  const nowhere = Object.fromEntries(providerAddresses().map((name) => [name, 'http://127.0.0.1:9']));
  // Many visitors come from this one address.
  const limits = {
    PROVISION_PER_HOUR: '10000',
    PROVISION_PER_DAY: '10000',
    PROVISION_TOTAL_PER_HOUR: '100000',
    EMAILS_PER_NETWORK: '10000',
    EMAILS_TOTAL: '100000',
    PUBLIC_ASSETS_PER_MINUTE: '100000',
  };
  const env = {
    ...withoutSettings(process.env),
    GATEWAY_ENV: 'local',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    ...limits,
    ...nowhere,
    ...settings,
  };
  const child = startNode([program], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  const stop = async () => {
    await stopProcess(child);
    await removeTestFolder(dataDir);
  };
  const ready = new Promise((resolve, reject) => {
    const onData = (/** @type {Buffer} */ chunk) => {
      log += chunk;
      const address = /^ {2}Address +(\S+)$/m.exec(log)?.[1];
      if (address && log.includes('Ctrl-C stops it')) resolve(address);
    };
    child.stdout?.on('data', onData);
    child.stderr?.on('data', onData);
    child.once('close', (code) => reject(new Error(`The gateway ended with code ${code}:\n${log}`)));
    setTimeout(() => reject(new Error(`The gateway did not start:\n${log}`)), START_MS).unref();
  });
  try {
    const baseUrl = await ready;
    const kill = () => killProcess(child);
    return {
      baseUrl,
      pid: child.pid ?? 0,
      env,
      log: () => log,
      stop,
      kill,
      admin: (...args) => runAdmin(env, args),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The environment with every setting of the gateway empty, which is absent, and wins over a developer's .env.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function withoutSettings(env) {
  const cleared = Object.fromEntries(settingNames().map((name) => [name, '']));
  // NODE_ENV is the test runner's; the gateway chooses its own.
  const { NODE_ENV: _, ...rest } = env;
  return /** @type {NodeJS.ProcessEnv} */ ({ ...rest, ...cleared });
}

function settingNames() {
  const documented = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm);
  return [...documented].map(([, name]) => String(name));
}

/** The settings that say where the APIs of providers are. */
function providerAddresses() {
  return settingNames().filter((name) => name.endsWith('_BASE_URL'));
}

/**
 * Removes a folder of tests, and ends every PostgreSQL that has its data in there: whoever was killed left it behind.
 * @param {string} folder
 */
export async function removeTestFolder(folder) {
  // A process that is just ending may write once more.
  for (let attempt = 0; existsSync(folder) && attempt < REMOVALS; attempt++) {
    await endDatabasesIn(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await sleep(REMOVAL_PAUSE_MS);
  }
}

/** @param {string} folder */
async function endDatabasesIn(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.name !== 'postmaster.pid') continue;
    await endPostgres(Number.parseInt(readFileSync(join(entry.parentPath, entry.name), 'utf8'), 10));
  }
}

/** @param {number} pid */
async function endPostgres(pid) {
  try {
    process.kill(pid, 'SIGQUIT');
    for (const end = Date.now() + POSTGRES_STOP_MS; Date.now() < end; await sleep(POLL_MS))
      process.kill(pid, 0);
  } catch {
    // It has ended.
  }
}
