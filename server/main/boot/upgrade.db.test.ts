import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import released from '@/db/released.json';
import { listContracted } from '@/scripts/migrations/judge-migration.mjs';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { type Harness, startHarness } from '@/test/support/harness';
import { emptyDatabase, madeUpMigrations, migrationsUpTo } from '@/test/support/migration-folder';
import { findBreakingChanges, readSchemaFacts } from '@/test/support/schema-facts';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { migrate } from '../../platform/database/migrate';

const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations/', import.meta.url));
const PATIENT = { lockTimeoutMs: 200, pauseMs: 200, tries: 600 };
/** Reads and writes the database, and creates a key. */
const SERVED = new Set([200, 201]);
const EXPANDS = {
  '9000_columns': `
    ALTER TABLE "accounts" ADD COLUMN "made_up" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
    ALTER TABLE "api_keys" ADD COLUMN "made_up" integer;--> statement-breakpoint
    ALTER TABLE "calls" ADD COLUMN "made_up" text;--> statement-breakpoint
    CREATE TABLE "made_up" ("id" text PRIMARY KEY NOT NULL);`,
  '9001_index': `-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "jobs_made_up";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "jobs_made_up" ON "jobs" USING btree ("account_id","id");`,
};

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  return () => removeFolder(folder);
});

describe('a migration while calls are served', () => {
  let harness: Harness;
  let ip = 0;
  let sql: postgres.Sql;
  beforeAll(async () => {
    harness = await startHarness();
    sql = postgres(harness.runtime.settings.databaseUrl, { max: 2, onnotice: () => undefined });
  });
  afterAll(async () => {
    await sql.end();
    await harness.close();
  });

  async function statuses(): Promise<Set<number>> {
    const { key } = await harness.person(1_000_000n);
    const call = (expression: string) => ({ tool: 'math', skill: 'evaluate', input: { expression } });
    const answers = await Promise.all([
      harness.request('POST', '/v1/tools/call', { key, json: call('1+1') }),
      harness.request('POST', '/v1/tools/batch', { key, json: { calls: [call('2+2'), call('3+3')] } }),
      harness.request('GET', '/v1/usage/history?limit=5', { key }),
      harness.request('GET', '/v1/keys', { key }),
      harness.request('GET', '/v1/billing/balance', { key }),
      harness.request('GET', '/v1/tools'),
      harness.request('POST', '/v1/auth/provision', { ip: `198.51.${ip++ % 250}.1` }),
    ]);
    return new Set(answers.map(({ status }) => status));
  }

  it('blocks no calls while a long transaction holds its tables, and completes afterwards @E14', {
    timeout: 120_000,
  }, async () => {
    expect(await statuses()).toEqual(SERVED);
    await madeUpMigrations(folder, EXPANDS);
    let end = () => {};
    let long: Promise<unknown> = Promise.resolve();
    await new Promise<void>((started, failed) => {
      long = sql.begin(async (tx) => {
        await tx`select count(*) from accounts, api_keys, calls`;
        await new Promise<void>((resolve) => {
          end = resolve;
          started();
        });
      });
      long.catch(failed);
    });
    const migrated = migrate(harness.runtime.settings.databaseUrl, folder, PATIENT);
    // If a statement queued for its table, all these would wait until the long transaction ends.
    for (let round = 0; round < 10; round++) expect(await statuses()).toEqual(SERVED);
    expect(await sql`select 1 from pg_class where relname = 'made_up'`).toHaveLength(0);
    end();
    await long;
    let isOver = false;
    const over = migrated.finally(() => {
      isOver = true;
    });
    while (!isOver) expect(await statuses()).toEqual(SERVED);
    await over;
    expect(await statuses()).toEqual(SERVED);
    expect(await sql`select made_up from accounts limit 1`).toEqual([{ made_up: 'none' }]);
    expect(
      await sql`
      select indisvalid from pg_index where indexrelid = 'jobs_made_up'::regclass`,
    ).toEqual([{ indisvalid: true }]);
  });

  it('lets the previous version start on the database of the next one, unchanged, and none before it @E14', async () => {
    const url = harness.runtime.settings.databaseUrl;
    const known = () => sql`select hash, created_at from drizzle.__drizzle_migrations order by id`;
    const start = (version: string, oldest: string) =>
      migrate(url, undefined, undefined, { version, oldest });
    await start('99.0.0', '98.0.0');
    const [before, facts] = [await known(), await readSchemaFacts(url)];
    await sql`create or replace function new_id(p_prefix text) returns text language sql as 'select p_prefix'`;
    await sql`update drizzle.__functions set hash = 'of 99.0.0' where name = 'new_id'`;
    await start('98.0.1', '97.0.0');
    expect(await known()).toEqual(before);
    expect(await readSchemaFacts(url)).toEqual(facts);
    expect(await sql`select new_id('x')`).toEqual([{ new_id: 'x' }]);
    await sql`delete from drizzle.__drizzle_migrations where created_at >= 4102444800000`;
    await start('98.0.1', '97.0.0');
    expect(await sql`select new_id('x')`).toEqual([{ new_id: 'x' }]);
    await start('99.0.0', '98.0.0');
    expect(await sql`select new_id('x')`).not.toEqual([{ new_id: 'x' }]);
    await expect(migrate(url)).rejects.toThrow(
      /^Version 99\.0\.0 has upgraded the database, and version [\d.]+ cannot use it any more: start 99\.0\.0 or later/,
    );
    await sql`delete from drizzle.__programs where version <> '98.0.1'`;
  });
});

describe('migrations', () => {
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

  it('run once when processes start at the same time, a concurrent index too @E14', {
    timeout: 120_000,
  }, async () => {
    await madeUpMigrations(folder, EXPANDS);
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, folder, PATIENT)));
    expect(await sql`select 1 from pg_indexes where indexname = 'jobs_made_up'`).toHaveLength(1);
    expect(
      await sql`select 1 from drizzle.__drizzle_migrations where created_at >= 4102444800000`,
    ).toHaveLength(2);
  });

  it('that fail keep earlier ones, and can be retried after a fix, an invalid index too @E14', async () => {
    await sql`create table doubles as select 1 as n from generate_series(1, 2)`;
    await madeUpMigrations(folder, {
      ...EXPANDS,
      '9002_more': 'CREATE TABLE "before_it" ("id" text);',
      '9003_unique': `-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "doubles_n";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "doubles_n" ON "doubles" ("n");`,
    });
    await expect(migrate(database.url, folder)).rejects.toThrow(/could not create unique index/);
    expect(await sql`select * from before_it`).toHaveLength(0);
    expect(await sql`select indisvalid from pg_index where indexrelid = 'doubles_n'::regclass`).toEqual([
      { indisvalid: false },
    ]);
    await sql`delete from doubles where ctid = (select min(ctid) from doubles)`;
    await migrate(database.url, folder);
    expect(await sql`select indisvalid from pg_index where indexrelid = 'doubles_n'::regclass`).toEqual([
      { indisvalid: true },
    ]);
  });

  it('that cannot lock their table fail with a message for the operator, and change nothing', async () => {
    await madeUpMigrations(folder, {
      '9100_busy':
        'CREATE TABLE "half" ("id" text);--> statement-breakpoint\nALTER TABLE "jobs" ADD COLUMN "busy" text;',
    });
    await sql`delete from drizzle.__drizzle_migrations where created_at >= 4102444800000`;
    await sql.begin(async (tx) => {
      await tx`select 1 from jobs limit 1`;
      const waits = { lockTimeoutMs: 50, pauseMs: 10, tries: 3 };
      await expect(migrate(database.url, folder, waits)).rejects.toThrow(
        /stayed busy[\s\S]*pg_stat_activity/,
      );
    });
    expect(await sql`select 1 from pg_class where relname = 'half'`).toHaveLength(0);
  });
});

describe('the previous version on the current schema', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await emptyDatabase(database.url);
  });
  afterAll(() => database.drop());

  it('finds every column and constraint that its statements use @E14', {
    timeout: 120_000,
  }, async () => {
    await migrationsUpTo(released.migration, folder);
    await migrate(database.url, folder);
    const before = await readSchemaFacts(database.url);
    expect(before.columns.size).toBeGreaterThan(100);
    await migrate(database.url);
    const after = await readSchemaFacts(database.url);
    expect(findBreakingChanges(before, after, contracted())).toEqual([]);
    expect((await breakages(before)).sort()).toEqual([
      'audit_events.target is no longer nullable',
      expect.stringMatching(/^jobs has gained CHECK/),
      'jobs.error is gone',
      'reviews.forced is new and required',
      'reviews.tool was text and is character varying',
    ]);
  });

  /** Checks that the comparison detects differences. */
  async function breakages(before: Awaited<ReturnType<typeof readSchemaFacts>>): Promise<string[]> {
    const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
    try {
      await sql.unsafe(`
        alter table jobs drop column error;
        alter table audit_events alter column target set not null;
        alter table reviews alter column tool type varchar;
        alter table reviews add column forced text not null;
        alter table jobs add constraint forced check (id <> '') not valid;`);
      const after = await readSchemaFacts(database.url);
      return findBreakingChanges(before, after, contracted());
    } finally {
      await sql.end();
    }
  }
});

function contracted(): string[] {
  const { entries } = JSON.parse(readFileSync(`${MIGRATIONS}meta/_journal.json`, 'utf8'));
  return entries.flatMap(({ tag }: { tag: string }) =>
    tag > released.migration ? listContracted(readFileSync(`${MIGRATIONS}${tag}.sql`, 'utf8')) : [],
  );
}
