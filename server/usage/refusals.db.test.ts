import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { deleteAccount } from '../lifecycle/delete-account';
import { writeRefusalsCsv } from './refusals-csv';
import type { UsageFilter } from './schema';
import {
  ECHO,
  IP,
  listBlocked,
  listReasons,
  type Person,
  refuse,
  report,
  SPEND,
} from './testing/refused-calls';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;

const read = async (key: string, query = '') => {
  const { status, body } = await harness.request('GET', `/v1/usage/refusals${query}`, { key });
  expect(status).toBe(200);
  return body;
};

describe('refused calls', () => {
  it('are counted by code, tool and key, with the last ones, in each period and filter', async () => {
    const person = await harness.person();
    const second = await harness.addKey(person.accountId);
    for (const key of [person.key, person.key, second.key]) await refuse(harness, key, SPEND);
    await refuse(harness, second.key, { ...ECHO, tool: 'nothing' });
    const all = await read(person.key);
    expect(all).toMatchObject({
      ...{ refused: 4, keys: 2 },
      by_code: [
        { error_code: 'INSUFFICIENT_CREDITS', limit: 'account', refused: 3, keys: 2 },
        { error_code: 'TOOL_NOT_FOUND', limit: null, refused: 1, keys: 1 },
      ],
      by_tool: [
        { tool: 'diagnostics', refused: 3 },
        { tool: null, refused: 1 },
      ],
    });
    expect(all.by_key.map(({ refused }: { refused: number }) => refused)).toEqual([2, 2]);
    expect(all.last).toHaveLength(4);
    // Each code over time, in the parts of the axis.
    expect(all.unit).toBe('day');
    for (const { trend, refused } of all.by_code) {
      expect(trend).toHaveLength(all.trend_at.length);
      expect(trend.at(-1)).toBe(refused);
    }
    expect(all.last[0]).toMatchObject({
      key_id: second.keyId,
      tool: 'nothing',
      error_code: 'TOOL_NOT_FOUND',
    });
    expect(JSON.stringify(all)).not.toContain(IP);
    for (const period of ['day', 'week', 'all'])
      expect((await read(person.key, `?period=${period}`)).refused).toBe(4);
    expect(await read(person.key, `?key_id=${second.keyId}`)).toMatchObject({ refused: 2, keys: 1 });
    expect(await read(person.key, '?tool=diagnostics')).toMatchObject({ refused: 3 });
    expect(await read(person.key, '?error_code=TOOL_NOT_FOUND')).toMatchObject({ refused: 1 });
    const { status } = await harness.request('GET', '/v1/usage/refusals?period=year', person);
    expect(status).toBe(400);

    const other = await harness.person();
    expect(await read(other.key, '?period=all')).toMatchObject({ refused: 0, last_at: null, last: [] });
    const foreign = `/v1/usage/refusals?key_id=${person.keyId}`;
    expect((await harness.request('GET', foreign, other)).status).toBe(404);
  });

  it('are counted by key and reason, the last refused first, with the limits that refuse now', async () => {
    const person = await harness.person();
    const second = await harness.addKey(person.accountId);
    for (const key of [person.key, second.key, second.key]) await refuse(harness, key, SPEND);
    await sql()`update refusal_minutes set last_at = last_at - interval '5 seconds' where account_id = ${person.accountId}`;
    await refuse(harness, second.key, { ...ECHO, input: {} });
    const [first, ...others] = await listReasons(harness, person);
    const invalid = { error_code: 'INVALID_INPUT', limit: null, tool: 'diagnostics', refused: 1 };
    expect(first).toEqual({ key_id: second.keyId, ...invalid, in_force: false });
    const broke = {
      error_code: 'INSUFFICIENT_CREDITS',
      limit: 'account',
      tool: 'diagnostics',
      in_force: true,
    };
    expect(others.sort((a, b) => a.refused - b.refused)).toEqual([
      { key_id: person.keyId, ...broke, refused: 1 },
      { key_id: second.keyId, ...broke, refused: 2 },
    ]);
    // The rows add up to the total, and none of them is in the public report.
    expect((await report(harness, person)).refused).toBe(4);
    expect(await read(person.key)).not.toHaveProperty('by_reason');
  });

  it('of a restricted key are its own', async () => {
    const person = await harness.person();
    const second = await harness.addKey(person.accountId);
    await refuse(harness, person.key, SPEND);
    await refuse(harness, second.key, SPEND);
    await sql()`update api_keys set credits_microusd = 1000000 where id = ${second.keyId}`;
    expect(await read(second.key)).toMatchObject({ refused: 1, by_key: [{ key_id: second.keyId }] });
  });
});

describe('refused calls for a team', () => {
  it('belong to the account of the key, and the team sees those of its own keys', async () => {
    const [owner, member] = [await harness.person(1_000_000n), await harness.person()];
    const teamId = await harness.team(owner.userId, 'refused', 0n);
    await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${member.userId}, 'member')`;
    expect(await refuse(harness, member.key, { ...SPEND, billing: 'refused' })).toBe('INSUFFICIENT_CREDITS');
    expect(await report(harness, member)).toMatchObject({ refused: 1, last: [{ client_address: IP }] });
    expect(await report(harness, owner, 'refused')).toMatchObject({ refused: 0, last: [] });

    const { body } = await harness.request('POST', '/v1/keys', {
      key: owner.key,
      json: { billing: 'refused' },
    });
    expect(await refuse(harness, body.secret, SPEND)).toBe('INSUFFICIENT_CREDITS');
    expect(await report(harness, owner, 'refused')).toMatchObject({
      refused: 1,
      by_key: [{ key_id: body.id }],
    });
    expect(await listBlocked(harness, member, 'refused')).toMatchObject([
      { key_id: body.id, limit: 'account' },
    ]);
    const outsider = await harness.person();
    for (const readOther of [report, listBlocked])
      await expect(readOther(harness, outsider, 'refused')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('show client addresses to its owner and admins, and not to members @F40', async () => {
    const [owner, admin, member] = [
      await harness.person(1_000_000n),
      await harness.person(),
      await harness.person(),
    ];
    const teamId = await harness.team(owner.userId, 'refused-traced', 0n);
    await sql()`insert into memberships (account_id, user_id, role) values
      (${teamId}, ${admin.userId}, 'admin'), (${teamId}, ${member.userId}, 'member')`;
    const json = { billing: 'refused-traced' };
    const { body } = await harness.request('POST', '/v1/keys', { key: owner.key, json });
    await refuse(harness, body.secret, SPEND);
    const readAddress = async (person: Person) =>
      (await report(harness, person, 'refused-traced')).last[0]?.client_address;
    expect(await readAddress(owner)).toBe(IP);
    expect(await readAddress(admin)).toBe(IP);
    expect(await readAddress(member)).toBeNull();
  });
});

it('a CSV has the refused calls of exactly what is filtered, a row per minute, key, code and tool', async () => {
  const person = await harness.person();
  const second = await harness.addKey(person.accountId);
  for (const key of [person.key, person.key, second.key]) await refuse(harness, key, SPEND);
  await refuse(harness, second.key, { ...ECHO, tool: 'nothing' });
  const write = async (filter: UsageFilter) => {
    const { filename, text } = await writeRefusalsCsv(harness.runtime, createSessionActor(person), filter);
    expect(filename).toMatch(/^refused-calls-20\d\d-\d\d-\d\d-to-20\d\d-\d\d-\d\d\.csv$/);
    let all = '';
    for await (const day of text) all += day;
    const lines = all.trimEnd().split('\r\n');
    expect(lines[0]).toBe('minute,refused,error_code,limit,tool,key_id,key_name,last_at');
    return lines.slice(1).map((line) => line.split(','));
  };
  const sum = (rows: string[][]) => rows.reduce((total, [, refused]) => total + Number(refused), 0);
  expect(sum(await write({ period: '30d' }))).toBe(4);
  const ofKey = await write({ period: '24h', key_id: second.keyId });
  expect(sum(ofKey)).toBe(2);
  expect(new Set(ofKey.map((row) => row[5]))).toEqual(new Set([second.keyId]));
  expect(await write({ period: '30d', error_code: 'TOOL_NOT_FOUND' })).toMatchObject([
    [expect.any(String), '1', 'TOOL_NOT_FOUND', '', '', second.keyId, 'test key', expect.any(String)],
  ]);
  expect(await write({ from: '2020-01-01', to: '2020-01-31' })).toEqual([]);
});

it('the deletion of an account deletes its refused calls with their addresses, and no others @F40', async () => {
  const [person, other] = [await harness.person(), await harness.person()];
  for (const { key } of [person, other]) await refuse(harness, key, SPEND);
  await deleteAccount(harness.runtime, createSessionActor(person));
  const count = async ({ accountId }: Person) => {
    const [row] = await sql()`
      select (select count(*)::int from refusals where account_id = ${accountId}) as described,
        (select count(*)::int from refusal_minutes where account_id = ${accountId}) as counted`;
    return row;
  };
  expect(await count(person)).toEqual({ described: 0, counted: 0 });
  expect(await count(other)).toEqual({ described: 1, counted: 1 });
});
