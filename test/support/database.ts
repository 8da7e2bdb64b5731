import { randomBytes } from 'node:crypto';
import postgres from 'postgres';

/** Environment variable with the URL of the test server; set by global-setup. */
export const TEST_ADMIN_URL = 'TEST_ADMIN_DATABASE_URL';
/** Environment variable with the name of the migrated template database. */
export const TEST_TEMPLATE = 'TEST_TEMPLATE_DATABASE';

/** A new, migrated database of one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database from the migrated template. It takes tens of milliseconds, so each test file
 * has its own. Call `drop` in afterAll; it closes remaining connections.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env[TEST_ADMIN_URL];
  const template = process.env[TEST_TEMPLATE];
  if (!adminUrl || !template)
    throw new Error('There is no test server. Configure test/support/global-setup.ts as a global setup.');
  const ownerUrl = process.env.TEST_OWNER_DATABASE_URL ?? adminUrl;
  const owner = decodeURIComponent(new URL(ownerUrl).username);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const sql = shareAdmin(adminUrl);
  await sql`create database ${sql(name)} template ${sql(template)} owner ${sql(owner)} strategy file_copy`;
  return {
    url: databaseUrl(ownerUrl, name),
    drop: async () => void (await sql`drop database ${sql(name)} with (force)`),
  };
}

/** Shared by the files of a process: a connection for each statement takes 12 ms of CPU. */
function shareAdmin(adminUrl: string): postgres.Sql {
  const shared = globalThis as typeof globalThis & { __testAdmin?: postgres.Sql };
  shared.__testAdmin ??= openAdmin(adminUrl, { max: 2, idle_timeout: 20 });
  return shared.__testAdmin;
}

function openAdmin(adminUrl: string, options: postgres.Options<Record<string, never>>): postgres.Sql {
  return postgres(adminUrl, { fetch_types: false, onnotice: () => undefined, ...options });
}

/** The URL of another database on the same server, for the same user. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Runs `work` on a connection that may create databases, then closes it. */
export async function asAdmin<T>(adminUrl: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = openAdmin(adminUrl, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
