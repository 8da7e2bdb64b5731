import { readdirSync, readFileSync } from 'node:fs';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHeaders } from '@/scripts/migrations/function-headers.mjs';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { jsonRows, type RecordedCallRow } from './json-rows';

const FOLDER = new URL('./functions/', import.meta.url);
const names = readdirSync(FOLDER).map((file) => file.replace('.sql', ''));

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

it('the database has the functions of the files, and no others', async () => {
  const rows = await sql`select proname from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(rows.map(({ proname }) => proname).sort()).toEqual(names.sort());
});

it('a function of the life of a call has at most 8 parameters', () => {
  const headers = readHeaders(FOLDER.pathname);
  const life = [
    'admit_calls',
    'end_calls',
    'commit_calls',
    'enqueue_calls',
    'cancel_job',
    'reap_calls',
    'record_calls',
  ];
  for (const name of life) {
    const parameters =
      headers
        .get(name)
        ?.replace(/\) RETURNS .*/, '')
        .split(', ') ?? [];
    expect(parameters.length, name).toBeGreaterThan(1);
    expect(parameters.length, name).toBeLessThanOrEqual(8);
  }
});

it('only one function inserts running calls, and only one deletes them', () => {
  const texts = new Map(names.map((name) => [name, readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8')]));
  const thatSay = (statement: RegExp) => names.filter((name) => statement.test(texts.get(name) ?? ''));
  expect(thatSay(/\bINSERT INTO calls\b/i)).toEqual(['admit_calls']);
  expect(thatSay(/\bDELETE FROM calls\b/i)).toEqual(['end_calls']);
});

it('the order of the fields of a row, and fields that a function does not know, change nothing', async () => {
  const fields = {
    id: 'call_1',
    key_id: 'key_1',
    raw_microusd: '9007199254740993',
    markup_microusd: '2',
    success: true,
  };
  const read = async (row: Record<string, string | boolean | undefined>) =>
    await sql`select * from json_populate_recordset(null::recorded_call, ${jsonRows([row])}::text::json)`;
  const backwards = Object.fromEntries([['made_up', '3'] as const, ...Object.entries(fields).reverse()]);
  const [row] = await read(fields);
  expect(row).toMatchObject({ ...fields, hold_microusd: null });
  expect((await read(backwards))[0]).toEqual(row);
});

const CALL: Record<Exclude<keyof RecordedCallRow, 'job_id'>, string | number | boolean | null> = {
  id: 'call_1',
  key_id: 'key_1',
  account_id: 'acct_1',
  billing: 'personal',
  tool: 'math',
  skill: 'add',
  success: true,
  raw_microusd: '0',
  markup_microusd: '2',
  hold_microusd: '3',
  byok: false,
  error_code: null,
  latency_ms: 1,
  created_at: '2026-01-01T00:00:00Z',
  request_id: null,
  client_address: null,
  rules_version: 0,
  error_message: null,
};
const RECORD = {
  account_id: 'acct_1',
  key: 'once',
  call_id: 'call_1',
  charged_account_id: 'acct_1',
  owner: 'call_1',
  fingerprint: '00',
  reply: '{}',
};

it('the rows of calls have the fields of recorded_call', async () => {
  const attributes = await sql`
    select a.attname from pg_attribute a where a.attrelid = 'recorded_call'::regclass order by a.attname`;
  expect(attributes.map(({ attname }) => attname)).toEqual([...Object.keys(CALL), 'job_id'].sort());
});

it('a row without a field that decides about money or limits is refused', async () => {
  const lacking = (fields: string[], row: Record<string, string | number | boolean | null>) =>
    fields.map((field) => jsonRows([row, { ...row, [field]: undefined, [`${field}_`]: row[field] }]));
  const calls = jsonRows([CALL]);
  const decisive = Object.keys(CALL).filter(
    (field) => !['error_code', 'error_message', 'request_id', 'client_address'].includes(field),
  );
  const admitted = decisive.filter(
    (field) => !/^(success|raw_microusd|markup_microusd|byok|latency_ms|created_at)$/.test(field),
  );
  const ended = ['id', 'key_id', 'success', 'raw_microusd', 'markup_microusd', 'byok', 'latency_ms'];
  const outcome = { success: false, error_code: 'HANDLER_ERROR' };
  const response = { call_id: 'call_1', error: null, result: '{}' };
  const refused = [
    ...lacking(admitted, CALL).map(
      (rows) => sql`select admit_calls(${rows}::text::json, 'p', 1, '{1}', '{1}', 1)`,
    ),
    ...lacking([...ended, 'error_code'], { ...CALL, ...outcome }).map(
      (rows) => sql`select end_calls(${rows}::text::json, null, 'p')`,
    ),
    ...lacking(['call_id', 'result'], response).map(
      (rows) => sql`select end_calls(${calls}::text::json, ${rows}::text::json, 'p')`,
    ),
    ...lacking([...decisive, 'error_code'], { ...CALL, ...outcome }).map(
      (rows) => sql`select commit_calls(${rows}::text::json, null, '{1}', '{1}', 1)`,
    ),
    ...lacking(Object.keys(RECORD), RECORD).map(
      (rows) => sql`select commit_calls(${calls}::text::json, ${rows}::text::json, '{1}', '{1}', 1)`,
    ),
    ...lacking(['job_id', 'rerunnable', 'input'], {
      id: 'call_1',
      job_id: 'j',
      rerunnable: true,
      input: '{}',
    }).map((rows) => sql`select enqueue_calls(${rows}::text::json, '{}')`),
  ];
  for (const statement of refused) await expect(statement).rejects.toMatchObject({ code: '22004' });
  expect(refused).toHaveLength(admitted.length + ended.length + decisive.length + 14);
});

it('half a surrogate pair in a row becomes a replacement character', async () => {
  const [row] =
    await sql`select r.tool from json_to_recordset(${jsonRows([{ tool: 'a\ud83d' }])}::text::json) as r(tool text)`;
  expect(row).toEqual({ tool: 'a\ufffd' });
});

it('a window that is added later begins with the next call, not with one before it existed', async () => {
  const [row] = await sql`
    with two as (
      select window_starts('{}', '{60,3600}', now()) as started, window_use('{}', '{}', '{60,3600}', 1, now()) as used
    )
    select started[3] as third, used::text as used, window_use(started, used, '{60,3600,86400}', 1, now())::text as later
    from two`;
  expect(row).toEqual({ third: null, used: '{1,1,NULL}', later: '{2,2,1}' });
});
