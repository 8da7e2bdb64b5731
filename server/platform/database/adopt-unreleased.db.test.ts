import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { readSchemaFacts } from '@/test/support/schema-facts';
import { createFakeStripeTables } from '../ports/choose-ports';
import { TO_UNRELEASED } from './adopt-unreleased';
import { countMissingMigrations, MIGRATIONS, migrate } from './migrate';
import { MIGRATION_WAITS } from './retry-while-busy';
import { runMigrations } from './run-migrations';

const UNRELEASED_ROWS = `
  insert into audit_events (id, actor, action, details) values ('audit_1', 'operator:op', 'account.look', '{}');
  insert into payment_event_marks (mode, fetched_until) values ('standin', now());
  insert into outgoing_mails (kind, account_id) values ('low_balance', 'acct_1');
  insert into stripe_standin.objects (id, kind, created, data, hidden)
  values ('cs_1', 'session', 1, '{"url": "http://localhost/stripe-standin/checkout/cs_1"}', '{}');`;

let database: TestDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Makes the database one of before 0.1.0, whatever migrations came after the first. */
async function makeUnreleased(): Promise<void> {
  await sql`drop schema public, drizzle, fake_stripe cascade`;
  await sql`create schema public`;
  await sql`create schema drizzle`;
  await runMigrations(sql, MIGRATIONS, MIGRATION_WAITS, '0000_schema');
  await createFakeStripeTables((statements) => sql.unsafe(statements));
  await sql.unsafe(TO_UNRELEASED);
}

const applied = async () => await sql`select hash, created_at from drizzle.__drizzle_migrations order by id`;

it('a database of the last version before 0.1.0 becomes one of 0.1.0, with its rows', async () => {
  await createFakeStripeTables((statements) => sql.unsafe(statements));
  const [before, facts] = [await applied(), await readSchemaFacts(database.url)];
  await makeUnreleased();
  await sql.unsafe(UNRELEASED_ROWS);
  expect(await countMissingMigrations(database.url)).toBeGreaterThan(0);
  await migrate(database.url);
  expect(await applied()).toEqual(before);
  expect(await readSchemaFacts(database.url)).toEqual(facts);
  expect(await sql`select action from audit_events`).toEqual([{ action: 'account.view' }]);
  expect(await sql`select mode from payment_event_marks`).toEqual([{ mode: 'fake' }]);
  expect(await sql`select kind from outgoing_emails`).toEqual([{ kind: 'low_balance' }]);
  expect(await sql`select data->>'url' as url from fake_stripe.objects`).toEqual([
    { url: 'http://localhost/fake-stripe/checkout/cs_1' },
  ]);
  await expect(sql`delete from audit_events`).rejects.toThrow('append-only');
});

it('an older one is refused and left alone', async () => {
  await makeUnreleased();
  await sql`update drizzle.__drizzle_migrations set created_at = 1795249340999`;
  const before = await applied();
  await expect(migrate(database.url)).rejects.toThrow(
    /^The database is from a version before 0\.1\.0 .* start commit/,
  );
  expect(await applied()).toEqual(before);
});
