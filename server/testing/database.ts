import { randomBytes } from 'node:crypto';
import postgres from 'postgres';

/** Where the test run's server is: set by global-setup, inherited by every worker. */
export const TEST_ADMIN_URL = 'TEST_ADMIN_DATABASE_URL';
/** The database with all migrations that each test database is a copy of. */
export const TEST_TEMPLATE = 'TEST_TEMPLATE_DATABASE';

/** A database of one test file's own, fresh and migrated. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * Makes a database from the migrated template: tens of milliseconds, so every test file has its own.
 * Call `drop` in afterAll; it disconnects whoever is left.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env[TEST_ADMIN_URL];
  const template = process.env[TEST_TEMPLATE];
  if (!adminUrl || !template)
    throw new Error('No test server: is server/testing/global-setup.ts configured?');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(adminUrl, async (sql) => {
    const [owner] = await sql`
      select rolname from pg_database join pg_roles on pg_roles.oid = datdba where datname = ${template}`;
    await sql`create database ${sql(name)} template ${sql(template)} owner ${sql(owner?.rolname)}
      strategy file_copy`;
  });
  return {
    url: databaseUrl(process.env.TEST_OWNER_DATABASE_URL ?? adminUrl, name),
    drop: () => asAdmin(adminUrl, async (sql) => void (await sql`drop database ${sql(name)} with (force)`)),
  };
}

/** The same server and user, another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** One connection with the right to make databases, closed afterwards. */
export async function asAdmin<T>(adminUrl: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
