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
    throw new Error('There is no test server. Configure server/testing/global-setup.ts as a global setup.');
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

/** The URL of another database on the same server, for the same user. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Runs `work` on a connection that may create databases, then closes it. */
export async function asAdmin<T>(adminUrl: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(adminUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
