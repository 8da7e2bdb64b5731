import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../db/client';
import { generateKey } from '../../server/identity/keys/key-format';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { findSecrets } from '../system/fixtures/gateway-secrets';
import { SecretScan } from '../system/fixtures/secret-scan';

const SECRET = randomBytes(24).toString('base64');
const KEY = generateKey();

let database: TestDatabase;
let books: ReturnType<typeof connect>;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  books = connect(database.url, 1);
  folder = await mkdtemp(join(tmpdir(), 'secret-scan-'));
});
afterAll(async () => {
  await books.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const FORMS: [string, (secret: string) => string][] = [
  ['as it is', (secret) => secret],
  ['in JSON in JSON', (secret) => JSON.stringify(JSON.stringify({ key: secret }))],
  ['in a URL', (secret) => `?key=${encodeURIComponent(secret)}`],
  ['in hex', (secret) => Buffer.from(secret).toString('hex')],
  ['in base64', (secret) => Buffer.from(secret).toString('base64')],
  ['in base64 after other bytes', (secret) => Buffer.from(`a${secret}b`).toString('base64')],
  ['in base64 of a header', (secret) => Buffer.from(`ab${secret}bc`).toString('base64url')],
];

describe('the scan finds a planted secret', () => {
  it.each(FORMS)('in a log, %s, and does not print it', (_, form) => {
    const scan = new SecretScan([SECRET]);
    scan.scanText('the log', `{"level":"info"}\n{"level":"warn","error":"${form(SECRET)}"}\n`);
    const problems = scan.problems();
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]).toContain('the log');
    expect(problems.join()).not.toContain(SECRET);
  });

  it.each([
    ['an API key', KEY.secret],
    ['a claim token', `clm_${randomBytes(32).toString('base64url')}`],
    ['a test secret', 'sk-test-secret-0123456789'],
  ])('that looks like %s, without being registered', (kind, secret) => {
    const scan = new SecretScan();
    scan.scanText('the log', `call with ${secret} failed`);
    expect(scan.problems()).toEqual([expect.stringContaining(kind)]);
    expect(scan.problems().join()).not.toContain(secret);
  });

  it.each([
    ['text', (secret: string) => books.sql`insert into planted (words) values (${secret})`],
    [
      'json',
      (secret: string) =>
        books.sql`insert into planted (doc) values (${JSON.stringify({ deep: [secret] })}::text::json)`,
    ],
    ['bytes', (secret: string) => books.sql`insert into planted (bytes) values (${Buffer.from(secret)})`],
    ['an array', (secret: string) => books.sql`insert into planted (list) values (${[secret]})`],
  ])('in a column of %s, in any schema and partition', async (_, plant) => {
    const { sql } = books;
    await sql`create schema hidden`;
    await sql`create table hidden.planted_all (words text, doc json, bytes bytea, list text[], at int default 1)
      partition by list (at)`;
    await sql`create table hidden.planted_one partition of hidden.planted_all for values in (1)`;
    await sql`create view planted as select * from hidden.planted_all`;
    try {
      const before = new SecretScan([SECRET]);
      await before.scanDatabase(database.url);
      expect(before.problems()).toEqual([]);
      await plant(SECRET);
      const after = new SecretScan([SECRET]);
      await after.scanDatabase(database.url);
      expect(after.problems()).toEqual([expect.stringContaining('hidden.planted_one')]);
      expect(after.scanned.rows).toBe(before.scanned.rows + 1);
    } finally {
      await sql`drop schema hidden cascade`;
    }
  });

  it('in a nested file and in a file name', async () => {
    await mkdir(join(folder, 'blobs/a'), { recursive: true });
    await writeFile(
      join(folder, 'blobs/a/b'),
      Buffer.concat([randomBytes(1000), Buffer.from(SECRET), randomBytes(9)]),
    );
    await writeFile(join(folder, 'blobs/a/sk-test-secret-in-a-name'), '');
    const scan = new SecretScan([SECRET]);
    scan.scanFolder(folder);
    expect(scan.problems()).toHaveLength(2);
    await rm(join(folder, 'blobs'), { recursive: true });
    const clean = new SecretScan([SECRET]);
    clean.scanFolder(folder);
    expect(clean.problems()).toEqual([]);
  });
});

it('masks, hashes and ciphertext are not reported', () => {
  const scan = new SecretScan([KEY.secret]);
  scan.scanText(
    'the log',
    `${KEY.mask} ${KEY.hash.toString('hex')} tg_live_[redacted] clm_[redacted] sk-t…9xQa`,
  );
  expect(scan.problems()).toEqual([]);
});

it('the scan of a gateway covers its log, database and files, except where its own secrets belong', async () => {
  const vaultKey = randomBytes(32).toString('base64');
  const env = { DATA_DIR: folder, DATABASE_URL: database.url };
  const secrets = { authSecret: SECRET, vaultKey, claimSecret: randomBytes(32).toString('base64') };
  await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets));
  await writeFile(join(folder, 'started'), 'now');
  await books.sql`insert into users (id, email, name) values ('user_1', 'a@example.test', 'Ada')`;
  expect(await findSecrets({ env, log: () => 'started' }, [])).toEqual([]);
  await books.sql`update users set name = ${vaultKey}`;
  await writeFile(join(folder, 'started'), `${KEY.secret}`);
  const found = await findSecrets({ env, log: () => `sealed with ${vaultKey}` }, []);
  expect(found.filter((line) => line.includes('the log')).length).toBeGreaterThan(0);
  expect(found.filter((line) => line.includes('public.users')).length).toBeGreaterThan(0);
  expect(found.filter((line) => line.includes('started'))).toHaveLength(1);
});
