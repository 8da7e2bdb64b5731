import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '@/db/seed';
import { startPostgres } from '@/server/main/boot/embedded-postgres/start-postgres';
import { migrate } from '@/server/platform/database/migrate';
import { isAlive } from '@/server/platform/process/process-identity';
import { asAdmin, databaseUrl, TEST_ADMIN_URL, TEST_TEMPLATE } from './database';

const FOLDER = 'gateway-test-run-';
const TEMPLATE = `template_${process.pid}`;

interface Server {
  adminUrl: string;
  /** URL of the owner of the test databases: an unprivileged role, as in production. */
  ownerUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts one PostgreSQL for the run with a migrated template database, which each test file copies.
 * TEST_DATABASE_URL selects an existing server instead; its user must be able to create databases.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // A run inside of a test of another one shares its server and template.
  if (process.env[TEST_ADMIN_URL] && process.env[TEST_TEMPLATE]) return async () => undefined;
  const server = await openServer();
  await asAdmin(server.adminUrl, async (sql) => {
    const owner = decodeURIComponent(new URL(server.ownerUrl).username);
    await sql`create database ${sql(TEMPLATE)} owner ${sql(owner)}`;
  });
  const template = databaseUrl(server.ownerUrl, TEMPLATE);
  await migrate(template);
  await seed(template);
  // Test workers are forked later and inherit the environment.
  Object.assign(process.env, {
    [TEST_ADMIN_URL]: server.adminUrl,
    [TEST_TEMPLATE]: TEMPLATE,
    TEST_OWNER_DATABASE_URL: server.ownerUrl,
  });
  return async () => {
    await asAdmin(
      server.adminUrl,
      async (sql) => void (await sql`drop database ${sql(TEMPLATE)} with (force)`),
    );
    await server.stop();
  };
}

async function openServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, ownerUrl: given, stop: async () => undefined };
  await removeLeftovers();
  const dataDir = await mkdtemp(join(databaseFolder(), `${FOLDER}${process.pid}-`));
  const running = await startPostgres({ dataDir, durable: false });
  return {
    adminUrl: running.adminUrl,
    ownerUrl: running.url,
    async stop() {
      await running.stop();
      for (const folder of [running.baseDir, dataDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The runner sets a folder in memory if possible: on disk, copying the template takes 0.5 s. */
function databaseFolder(): string {
  return process.env.TEST_DATABASE_FOLDER ?? tmpdir();
}

/** Stops the servers that killed runs left behind. */
async function removeLeftovers(): Promise<void> {
  const folder = databaseFolder();
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const dataDir = join(folder, name);
    try {
      const left = await startPostgres({ dataDir, durable: false });
      await left.stop();
      for (const folder of [left.baseDir, dataDir]) await rm(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or another run is removing it.
    }
  }
}
