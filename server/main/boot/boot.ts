import { readFileSync } from 'node:fs';
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { seed } from '@/db/seed';
import { checkLogo } from '../../platform/brand/draw-logo';
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
import { updateEmbeddedDatabase } from './update-embedded-database';

const LOCK_FILE = 'gateway.lock';
/** Sticky and writable by all, as /tmp is. */
const SHARED_MODE = 0o1002;

interface BootOptions {
  /** Usually process.env. `boot` completes it in place, for `readBootedSettings(env)`. */
  env: NodeJS.Dict<string>;
  /** The base of relative folders and the location of `.env`. */
  cwd: string;
  /**
   * `server`: fails if a gateway runs on this data folder. `command` (admin CLI, scripts): works
   * next to a running gateway, on its database. `worker`: requires a running gateway or
   * DATABASE_URL; it neither locks nor creates files in the data folder.
   */
  mode?: 'server' | 'command' | 'worker';
  /** Binds the port before addresses are derived from it. @returns the bound port */
  listen?: (settings: Settings, explicitPort: boolean) => Promise<number>;
  log?: (message: string) => void;
  /** Replaces the folder of the migrations; for tests. */
  migrations?: string;
}

/** A booted gateway: settings, secrets and database are ready. */
export interface Booted {
  settings: BootedSettings;
  /** The source of the database: `external` is DATABASE_URL, `shared` another process's server. */
  postgres: 'started' | 'adopted' | 'external' | 'shared';
  /** Stops PostgreSQL, started or adopted, and releases the data folder. */
  stop(): Promise<void>;
  /** The same without waiting, for a process about to exit. */
  stopNow(): void;
}

interface Database {
  url: string;
  source: Booted['postgres'];
  stop(): Promise<void>;
  stopNow(): void;
}

/**
 * Prepares what the gateway needs before it runs: settings, data folder, lock, port, secrets,
 * PostgreSQL, migrations, seed. Writes the results to the environment.
 * @throws SettingsError, BootError with a message for people
 */
export async function boot(options: BootOptions): Promise<Booted> {
  const { env, cwd, mode = 'server' } = options;
  loadEnvFile(env, cwd);
  // Recorded now, because Next later sets NODE_ENV=production for every built start, local ones
  // too.
  env.GATEWAY_ENV =
    isProduction(env) && !env.GATEWAY_ENV?.trim() ? 'production' : env.GATEWAY_ENV?.trim() || 'local';
  const explicitPort = Boolean(env.PORT?.trim());
  const settings = readSettings(env);
  await checkLogo(settings.brand);
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
    Object.assign(env, {
      DATABASE_URL: database.url,
      AUTH_SECRET: secrets.authSecret,
      VAULT_KEY: secrets.vaultKey,
      CLAIM_SECRET: secrets.claimSecret,
    });
    const complete = readBootedSettings(env);
    const isEmbedded = database.source === 'started' || database.source === 'adopted';
    if (isEmbedded) await updateEmbeddedDatabase(complete, options.log ?? console.error, options.migrations);
    else await migrate(database.url, options.migrations);
    await seed(database.url);
    return booted(complete, database, lock);
  } catch (error) {
    await database?.stop();
    lock?.release();
    throw error;
  }
}

/**
 * Fails if a gateway runs on the data folder. Called before a build replaces files that it serves.
 * @throws AlreadyRunningError, SettingsError
 */
export async function assertNotRunning(env: NodeJS.Dict<string>, cwd: string): Promise<void> {
  const copy = { ...env };
  loadEnvFile(copy, cwd);
  const holder = await findLockHolder(join(resolve(cwd, readSettings(copy).dataDir), LOCK_FILE));
  if (holder) throw new AlreadyRunningError(holder);
}

function booted(settings: BootedSettings, database: Database, lock: Lock | null): Booted {
  return {
    settings,
    postgres: database.source,
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

/** Adds the settings of `.env`. The environment of the process takes precedence over the file. */
export function loadEnvFile(env: NodeJS.Dict<string>, cwd: string): void {
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
    // Root could close it to all other users, and any of them may have put secrets into it.
    if ((mode & SHARED_MODE) === SHARED_MODE) throw new Error('shared by all users');
    // The group may keep x: PostgreSQL's own user passes through it if root runs the gateway.
    if ((mode & 0o067) !== 0) await chmod(path, mode & 0o710);
    return await realpath(path);
  } catch (cause) {
    throw new BootError(
      `The data folder ${path} cannot be used (${errorCode(cause) ?? (cause as Error).message}): ` +
        'set DATA_DIR to a folder owned by the user who starts the gateway.',
      { cause },
    );
  }
}

/** A command without a lock works next to a running gateway and uses that gateway's address. */
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
    return { url: settings.databaseUrl, source: 'external', ...nothing };
  }
  if (mayStart) {
    const running = await startPostgres({ dataDir: settings.dataDir, log });
    const { url, adopted, stop, stopNow } = running;
    return { url, source: adopted ? 'adopted' : 'started', stop, stopNow };
  }
  const url = await findPostgresUrl(settings.dataDir);
  if (!url)
    throw new BootError(
      'No gateway runs on this data folder, or it is starting or stopping. Start it first, or try again.',
    );
  return { url, source: 'shared', ...nothing };
}
