import { readFileSync } from 'node:fs';
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { seed } from '@/db/seed';
import { ensureDatabase, migrate } from '../../platform/database/migrate';
import { BootError, errorCode } from '../../platform/process/boot-error';
import {
  type BootedSettings,
  isProduction,
  readBootedSettings,
  readSettings,
  type Settings,
} from '../../platform/settings/settings';
import { findPostgresUrl, startPostgres } from './embedded-postgres/start-postgres';
import { AlreadyRunningError, acquireLock, findLockHolder, type Lock } from './lock';
import { loadSecrets } from './secrets';

const LOCK_FILE = 'gateway.lock';

interface BootOptions {
  /** Completed in place: afterwards `readBootedSettings(env)` yields the final settings. Usually process.env. */
  env: NodeJS.ProcessEnv;
  /** Where relative folders start and `.env` lies. */
  cwd: string;
  /**
   * `server`: refuses where a gateway runs on this data folder. `command` (the operator's command, scripts): then
   * works beside it, on its database. `worker`: only ever beside one, or on the database of DATABASE_URL; what is kept
   * in the data folder is the gateway's, so nothing in it is locked or made.
   */
  mode?: 'server' | 'command' | 'worker';
  /** Binds the port, before anything is derived from it. @returns the port that was bound */
  listen?: (settings: Settings, explicitPort: boolean) => Promise<number>;
  log?: (message: string) => void;
}

/** A gateway whose ground stands: settings, secrets, database. */
export interface Booted {
  settings: BootedSettings;
  /** How the database came: `external` is DATABASE_URL's, `shared` another process's embedded one. */
  postgres: 'started' | 'adopted' | 'external' | 'shared';
  /** Stops PostgreSQL, started or adopted, and gives the data folder back. */
  stop(): Promise<void>;
  /** The same without waiting: for a process about to exit. */
  stopNow(): void;
}

interface Database {
  url: string;
  came: Booted['postgres'];
  stop(): Promise<void>;
  stopNow(): void;
}

/**
 * Everything that must stand before the gateway's code runs: settings, data folder, lock, port, secrets,
 * PostgreSQL, migrations, seed; and the environment completed with what came out.
 * @throws SettingsError, BootError with a message for a person
 */
export async function boot(options: BootOptions): Promise<Booted> {
  const { env, cwd, mode = 'server' } = options;
  loadEnvFile(env, cwd);
  // Recorded now: later Next sets NODE_ENV=production for every built start, a local one too.
  env.GATEWAY_ENV =
    isProduction(env) && !env.GATEWAY_ENV?.trim() ? 'production' : env.GATEWAY_ENV?.trim() || 'local';
  const explicitPort = Boolean(env.PORT?.trim());
  const settings = readSettings(env);
  settings.dataDir = env.DATA_DIR = await makeDataDir(resolve(cwd, settings.dataDir));
  if (settings.assetsDir) settings.assetsDir = env.ASSETS_DIR = resolve(cwd, settings.assetsDir);
  const { lock, address } = await takeLock(settings, mode);
  let database: Database | null = null;
  try {
    if (options.listen) settings.port = await options.listen(settings, explicitPort);
    if (!env.BASE_URL?.trim()) settings.baseUrl = address ?? `http://localhost:${settings.port}`;
    env.PORT = String(settings.port);
    env.BASE_URL = settings.baseUrl;
    await lock?.setAddress(settings.baseUrl);
    const secrets = await loadSecrets(settings, { generate: mode !== 'worker' });
    database = await openDatabase(settings, lock !== null, options.log);
    await migrate(database.url);
    await seed(database.url);
    Object.assign(env, {
      DATABASE_URL: database.url,
      AUTH_SECRET: secrets.authSecret,
      VAULT_KEY: secrets.vaultKey,
      CLAIM_SECRET: secrets.claimSecret,
    });
    return booted(readBootedSettings(env), database, lock);
  } catch (error) {
    await database?.stop();
    lock?.release();
    throw error;
  }
}

/**
 * Refuses where a gateway runs on the data folder already: asked before a build would replace what it serves.
 * @throws AlreadyRunningError, SettingsError
 */
export async function assertNotRunning(env: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  const copy = { ...env };
  loadEnvFile(copy, cwd);
  const holder = await findLockHolder(join(resolve(cwd, readSettings(copy).dataDir), LOCK_FILE));
  if (holder) throw new AlreadyRunningError(holder);
}

function booted(settings: BootedSettings, database: Database, lock: Lock | null): Booted {
  return {
    settings,
    postgres: database.came,
    async stop() {
      await database.stop();
      lock?.release();
    },
    stopNow() {
      database.stopNow();
      lock?.release();
    },
  };
}

/** What the process was given wins over the file, as everywhere. */
function loadEnvFile(env: NodeJS.ProcessEnv, cwd: string): void {
  let text: string;
  try {
    text = readFileSync(join(cwd, '.env'), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
}

async function makeDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { mode } = await stat(path);
    // The group's x may stay: it lets PostgreSQL's own user pass where root runs the gateway.
    if ((mode & 0o067) !== 0) await chmod(path, mode & 0o710);
    return await realpath(path);
  } catch (cause) {
    throw new BootError(
      `The data folder ${path} cannot be used (${errorCode(cause) ?? String(cause)}): ` +
        'set DATA_DIR to a folder of the user who starts the gateway.',
      { cause },
    );
  }
}

/** Without a lock, a command works beside a running gateway; the address is that gateway's. */
async function takeLock(
  settings: Settings,
  mode: 'server' | 'command' | 'worker',
): Promise<{ lock: Lock | null; address: string | null }> {
  if (mode === 'worker') {
    const holder = await findLockHolder(join(settings.dataDir, LOCK_FILE));
    return { lock: null, address: holder?.address ?? null };
  }
  try {
    const what = mode === 'server' ? 'the gateway' : 'a command of the gateway';
    return { lock: await acquireLock(join(settings.dataDir, LOCK_FILE), what), address: null };
  } catch (error) {
    if (mode === 'command' && error instanceof AlreadyRunningError) {
      return { lock: null, address: error.holder.address };
    }
    throw error;
  }
}

async function openDatabase(
  settings: Settings,
  mayStart: boolean,
  log?: (message: string) => void,
): Promise<Database> {
  const nothing = { stop: async () => undefined, stopNow: () => undefined };
  if (settings.databaseUrl) {
    await ensureDatabase(settings.databaseUrl);
    return { url: settings.databaseUrl, came: 'external', ...nothing };
  }
  if (mayStart) {
    const running = await startPostgres({ dataDir: settings.dataDir, log });
    const { url, adopted, stop, stopNow } = running;
    return { url, came: adopted ? 'adopted' : 'started', stop, stopNow };
  }
  const url = await findPostgresUrl(settings.dataDir);
  if (!url)
    throw new BootError(
      'No gateway runs on this data folder, or it is just starting or stopping: start it first, or try again.',
    );
  return { url, came: 'shared', ...nothing };
}
