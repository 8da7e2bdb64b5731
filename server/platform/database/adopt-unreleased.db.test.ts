import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { readSchemaFacts } from '../../testing/schema-facts';
import { TO_UNRELEASED } from './adopt-unreleased';
import { countMissingMigrations, migrate } from './migrate';

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

const applied = async () => await sql`select hash, created_at from drizzle.__drizzle_migrations order by id`;

it('a database of the last version before 0.1.0 becomes one of 0.1.0', async () => {
  const [before, facts] = [await applied(), await readSchemaFacts(database.url)];
  await sql.unsafe(TO_UNRELEASED);
  expect(await countMissingMigrations(database.url)).toBeGreaterThan(0);
  await migrate(database.url);
  expect(await applied()).toEqual(before);
  expect(await readSchemaFacts(database.url)).toEqual(facts);
});

it('an older one is refused and left alone', async () => {
  await sql`update drizzle.__drizzle_migrations set created_at = 1795249340999`;
  const before = await applied();
  await expect(migrate(database.url)).rejects.toThrow(
    /^The database is from a version before 0\.1\.0 .* start commit/,
  );
  expect(await applied()).toEqual(before);
});
