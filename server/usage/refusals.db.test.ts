import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { setCreditLimit } from '../identity/keys/set-credit-limit';
import { updateKey } from '../identity/keys/update-key';
import { setMemberLimit } from '../identity/teams/member-limit';
import { deleteAccount } from '../lifecycle/delete-account';
import { getAttention } from './get-attention';
import { getBlockedKeys, getRefusalReport } from './get-refusals';
import { writeRefusalsCsv } from './refusals-csv';
import type { UsageFilter } from './schema';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const sql = () => harness.runtime.sql;
const IP = '203.0.113.7';
const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
const ECHO = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };

async function refuse(key: string, json: object): Promise<string> {
  const { status, body } = await harness.request('POST', '/v1/tools/call', { key, json, ip: IP });
  expect(status).toBeGreaterThanOrEqual(400);
  await harness.runtime.refusals.flush();
  return body.error.code;
}
const read = async (key: string, query = '') => {
  const { status, body } = await harness.request('GET', `/v1/usage/refusals${query}`, { key });
  expect(status).toBe(200);
  return body;
};
const report = (person: Person, billing?: string) =>
  getRefusalReport(harness.runtime, createSessionActor(person), { billing, period: '24h' });
const reasons = async (person: Person) =>
  (await report(person)).by_reason.map(({ key_id, error_code, limit, tool, refused, in_force }) => ({
    ...{ key_id, error_code, limit, tool, refused, in_force: in_force !== null },
  }));
const listBlocked = async (person: Person, billing?: string) =>
  (await getBlockedKeys(harness.runtime, createSessionActor(person), billing)).keys;

const rule = (person: Person, keyId: string, json: object) =>
  updateKey(harness.runtime, createSessionActor(person), { id: keyId, ...json });

describe('refused calls', () => {
  it('are counted by code, tool and key, with the last ones, in each period and filter', async () => {
    const person = await harness.person();
    const second = await harness.addKey(person.accountId);
    for (const key of [person.key, person.key, second.key]) await refuse(key, SPEND);
    await refuse(second.key, { ...ECHO, tool: 'nothing' });
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
    for (const key of [person.key, second.key, second.key]) await refuse(key, SPEND);
    await sql()`update refusal_minutes set last_at = last_at - interval '5 seconds' where account_id = ${person.accountId}`;
    await refuse(second.key, { ...ECHO, input: {} });
    const [first, ...others] = await reasons(person);
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
    expect((await report(person)).refused).toBe(4);
    expect(await read(person.key)).not.toHaveProperty('by_reason');
  });

  it('of a restricted key are its own', async () => {
    const person = await harness.person();
    const second = await harness.addKey(person.accountId);
    await refuse(person.key, SPEND);
    await refuse(second.key, SPEND);
    await sql()`update api_keys set credits_microusd = 1000000 where id = ${second.keyId}`;
    expect(await read(second.key)).toMatchObject({ refused: 1, by_key: [{ key_id: second.keyId }] });
  });
});

describe('refused calls for a team', () => {
  it('belong to the account of the key, and the team sees those of its own keys', async () => {
    const [owner, member] = [await harness.person(1_000_000n), await harness.person()];
    const teamId = await harness.team(owner.userId, 'refused', 0n);
    await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${member.userId}, 'member')`;
    expect(await refuse(member.key, { ...SPEND, billing: 'refused' })).toBe('INSUFFICIENT_CREDITS');
    expect(await report(member)).toMatchObject({ refused: 1, last: [{ client_address: IP }] });
    expect(await report(owner, 'refused')).toMatchObject({ refused: 0, last: [] });

    const { body } = await harness.request('POST', '/v1/keys', {
      key: owner.key,
      json: { billing: 'refused' },
    });
    expect(await refuse(body.secret, SPEND)).toBe('INSUFFICIENT_CREDITS');
    expect(await report(owner, 'refused')).toMatchObject({ refused: 1, by_key: [{ key_id: body.id }] });
    expect(await listBlocked(member, 'refused')).toMatchObject([{ key_id: body.id, limit: 'account' }]);
    const outsider = await harness.person();
    for (const readOther of [report, listBlocked])
      await expect(readOther(outsider, 'refused')).rejects.toMatchObject({ code: 'FORBIDDEN' });
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
    await refuse(body.secret, SPEND);
    const readAddress = async (person: Person) =>
      (await report(person, 'refused-traced')).last[0]?.client_address;
    expect(await readAddress(owner)).toBe(IP);
    expect(await readAddress(admin)).toBe(IP);
    expect(await readAddress(member)).toBeNull();
  });
});

describe('a key that a limit refuses', () => {
  const limit = (person: Person, usd: number) =>
    rule(person, person.keyId, { spend_limit: { amount_usd: usd, period: 'day' } });

  it('is listed with its reason until the period ends, or its rules change', async () => {
    const person = await harness.person(1_000_000n);
    await limit(person, 0.3);
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: SPEND })).status).toBe(
      200,
    );
    expect(await listBlocked(person)).toEqual([]);
    for (let n = 0; n < 2; n++) expect(await refuse(person.key, SPEND)).toBe('SPENDING_LIMIT_EXCEEDED');
    const [blocked, ...more] = await listBlocked(person);
    expect(more).toEqual([]);
    expect(blocked).toMatchObject({ key_id: person.keyId, limit: 'key', refused: 2 });
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    expect(Math.abs(Date.parse(blocked?.retry_at ?? '') - midnight)).toBeLessThanOrEqual(2_000);
    expect(Date.parse(blocked?.since ?? '')).toBeLessThanOrEqual(Date.parse(blocked?.last_at ?? ''));

    // Neither a change of another rule ends it, nor a free call; a higher limit does.
    const spend = { amount_usd: 0.3, period: 'day' };
    await rule(person, person.keyId, { tags: ['x'], rate_limits: { per_minute: 50 }, spend_limit: spend });
    expect(await listBlocked(person)).toHaveLength(1);
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: ECHO })).status).toBe(
      200,
    );
    expect(await listBlocked(person)).toHaveLength(1);
    await limit(person, 0.6);
    expect(await listBlocked(person)).toEqual([]);
  });

  it('is counted since the last success that the limit could have refused', async () => {
    const person = await harness.person(1_000_000n);
    await limit(person, 0.4);
    const cheap = { ...SPEND, input: { amount_usd: 0.1 } };
    const succeed = async (json: object) =>
      expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json })).status).toBe(200);
    await succeed(SPEND);
    await refuse(person.key, SPEND);
    await refuse(person.key, SPEND);
    await succeed(cheap);
    // The limit still refuses such a call, but cheaper ones run.
    expect(await listBlocked(person)).toEqual([]);
    await succeed(ECHO);
    for (let n = 0; n < 3; n++) await refuse(person.key, SPEND);
    await succeed(ECHO);
    const [again] = await listBlocked(person);
    expect(again).toMatchObject({ limit: 'key', refused: 3 });
    const [{ at } = { at: '' }] = await sql()<{ at: Date }[]>`
      select max(created_at) as at from usage_records where key_id = ${person.keyId} and markup_microusd + raw_cost_microusd > 0`;
    expect(Date.parse(again?.since ?? '')).toBeGreaterThanOrEqual(new Date(at).getTime() - 1);
  });

  it('by the monthly limit is listed until that limit is changed, whatever else is called', async () => {
    const person = await harness.person(1_000_000n);
    const setLimit = async (budgetLimit: number | null) => {
      const response = await harness.request('PUT', '/v1/billing/preferences', {
        key: person.key,
        json: { budgetLimit },
      });
      expect(response.status).toBe(200);
    };
    await setLimit(0.3);
    const spend = async () =>
      (await harness.request('POST', '/v1/tools/call', { key: person.key, json: SPEND })).status;
    expect(await spend()).toBe(200);
    expect(await refuse(person.key, SPEND)).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await listBlocked(person)).toMatchObject([{ limit: 'month', refused: 1 }]);
    // Neither a free call ends it, nor a change of something else.
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: ECHO })).status).toBe(
      200,
    );
    await harness.request('PUT', '/v1/billing/preferences', {
      key: person.key,
      json: { budgetAlerts: false },
    });
    expect(await listBlocked(person)).toHaveLength(1);
    await setLimit(0.31);
    expect(await listBlocked(person)).toEqual([]);
    // The raised limit may still be too low: the next refusal says so.
    expect(await refuse(person.key, SPEND)).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await listBlocked(person)).toMatchObject([{ limit: 'month' }]);
    await setLimit(null);
    expect(await listBlocked(person)).toEqual([]);
    expect(await spend()).toBe(200);
  });

  it('by the limit of a member is listed until that limit is changed', async () => {
    const [owner, member] = [await harness.person(1_000_000n), await harness.person()];
    const teamId = await harness.team(owner.userId, 'refused-limit', 1_000_000n);
    await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${member.userId}, 'member')`;
    const setLimit = (limitUsd: number | null, userId = member.userId) =>
      setMemberLimit(harness.runtime, createSessionActor(owner), { slug: 'refused-limit', userId, limitUsd });
    await setLimit(0.1);
    expect(await refuse(member.key, { ...SPEND, billing: 'refused-limit' })).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await listBlocked(member)).toMatchObject([{ limit: 'member' }]);
    // The limit of another member does not concern it.
    await setLimit(5, owner.userId);
    expect(await listBlocked(member)).toHaveLength(1);
    await setLimit(5);
    expect(await listBlocked(member)).toEqual([]);
  });

  it('is listed with the limit that lasts longest, and not after it', async () => {
    const person = await harness.person(1_000_000n);
    await sql()`update api_keys set window_used[1] = 60, window_started_at[1] = now() where id = ${person.keyId}`;
    expect(await refuse(person.key, ECHO)).toBe('RATE_LIMIT_EXCEEDED');
    expect(await listBlocked(person)).toMatchObject([{ error_code: 'RATE_LIMIT_EXCEEDED', limit: 'minute' }]);
    const at = Date.now();
    harness.runtime.refusals.record({
      ...{
        accountId: person.accountId,
        keyId: person.keyId,
        rulesVersion: 0,
        code: 'SPENDING_LIMIT_EXCEEDED',
      },
      ...{ limitName: 'month', tool: '', atMs: at, retryAtMs: at + 86_400_000 },
      describe: () => ({ requestId: 'r', clientAddress: null, tool: '', skill: '', message: '' }),
    });
    await harness.runtime.refusals.flush();
    expect(await listBlocked(person)).toMatchObject([
      { error_code: 'SPENDING_LIMIT_EXCEEDED', limit: 'month' },
    ]);
    await sql()`update refusal_minutes set retry_at = now() where account_id = ${person.accountId}`;
    expect(await listBlocked(person)).toEqual([]);
  });

  it('is listed without credit until the account gets some, also while free calls run', async () => {
    const [buyer, free] = [await harness.person(), await harness.person()];
    for (const person of [buyer, free]) {
      expect(await refuse(person.key, SPEND)).toBe('INSUFFICIENT_CREDITS');
      expect(await listBlocked(person)).toMatchObject([{ limit: 'account', retry_at: null }]);
    }
    await sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
      values ('grant', 'refused', ${buyer.accountId}, 'grants', 1000000)`;
    expect(await listBlocked(buyer)).toEqual([]);
    expect((await harness.request('POST', '/v1/tools/call', { key: free.key, json: ECHO })).status).toBe(200);
    expect(await listBlocked(free)).toHaveLength(1);
  });

  it('is listed without credit of its own until its credit limit is raised, not that of the account', async () => {
    const owner = await harness.person(1_000_000n);
    const { accountId } = owner;
    const { key, keyId } = await harness.addKey(accountId, 100n);
    const person = { ...owner, key, keyId };
    expect(await refuse(key, SPEND)).toBe('INSUFFICIENT_CREDITS');
    expect(await listBlocked(person)).toMatchObject([{ limit: 'key' }]);
    await sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
      values ('grant', 'refused key', ${accountId}, 'grants', 1000000)`;
    expect(await listBlocked(person)).toHaveLength(1);
    await setCreditLimit(harness.runtime, createSessionActor(owner), { id: keyId, credit_limit_usd: 1 });
    expect(await listBlocked(person)).toEqual([]);
  });
});

describe('what needs attention', () => {
  const attend = async (person: Person, billing?: string) => {
    const { now, past } = await getAttention(harness.runtime, createSessionActor(person), billing);
    return {
      now: now.map(({ key_id, keys, limit, refused }) => ({ key_id, keys, limit, refused })),
      past: past.map(({ key_id, error_code, refused, is_input }) => [key_id, error_code, refused, is_input]),
    };
  };
  const succeed = async (key: string, json: object) =>
    expect((await harness.request('POST', '/v1/tools/call', { key, json })).status).toBe(200);

  it('is one row for the account whose credit refuses several keys, until it gets credit', async () => {
    const person = await harness.person();
    const second = await harness.addKey(person.accountId);
    for (const key of [person.key, second.key, second.key]) await refuse(key, SPEND);
    const account = { key_id: null, keys: 2, limit: 'account', refused: 3 };
    expect(await attend(person)).toEqual({ now: [account], past: [] });
    await sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
      values ('grant', 'attention', ${person.accountId}, 'grants', 1000000)`;
    expect(await attend(person)).toEqual({ now: [], past: [] });
  });

  it('separates invalid input from what the key may not do, until each is repaired', async () => {
    const person = await harness.person(1_000_000n);
    await refuse(person.key, { ...SPEND, input: {} });
    await refuse(person.key, { ...SPEND, input: {} });
    const input = [person.keyId, 'INVALID_INPUT', 2, true];
    expect(await attend(person)).toEqual({ now: [], past: [input] });
    // Another tool repairs nothing.
    await rule(person, person.keyId, { allowed_tools: ['diagnostics'] });
    expect(await refuse(person.key, { tool: 'math', skill: 'evaluate', input: { expression: '1' } })).toBe(
      'TOOL_NOT_ALLOWED',
    );
    const denied = [person.keyId, 'TOOL_NOT_ALLOWED', 1, false];
    expect((await attend(person)).past).toEqual([denied, input]);
    await succeed(person.key, SPEND);
    expect((await attend(person)).past).toEqual([denied]);
    await rule(person, person.keyId, { allowed_tools: null });
    expect((await attend(person)).past).toEqual([]);
    // It is back with the next refusal, and gone after a day.
    await refuse(person.key, { ...SPEND, input: {} });
    expect((await attend(person)).past).toEqual([[person.keyId, 'INVALID_INPUT', 3, true]]);
    await sql()`update refusal_minutes set minute = minute - interval '25 hours', last_at = last_at - interval '25 hours'
      where account_id = ${person.accountId}`;
    expect((await attend(person)).past).toEqual([]);
  });

  it('of a tool that the rules refuse goes only when they allow it, not with another rule', async () => {
    const person = await harness.person(1_000_000n);
    const past = async () =>
      (await getAttention(harness.runtime, createSessionActor(person), undefined)).past;
    const repaired = async () => (await report(person)).by_reason.map((row) => row.repaired);
    await rule(person, person.keyId, { allowed_tools: ['diagnostics.echo'] });
    expect(await refuse(person.key, SPEND)).toBe('TOOL_NOT_ALLOWED');
    const denied = { error_code: 'TOOL_NOT_ALLOWED', tool: 'diagnostics', skill: 'spend', tools: 1 };
    expect(await past()).toMatchObject([denied]);
    // A form sends all rules, and another skill of the tool runs.
    const others = { spend_limit: { amount_usd: 1, period: 'day' }, tags: ['x'] };
    await rule(person, person.keyId, { ...others, allowed_tools: ['diagnostics.echo'] });
    await succeed(person.key, ECHO);
    expect(await past()).toHaveLength(1);
    await rule(person, person.keyId, { allowed_tools: ['diagnostics.echo', 'math'] });
    expect(await past()).toHaveLength(1);
    expect(await repaired()).toEqual([null]);
    await rule(person, person.keyId, { allowed_tools: ['diagnostics.echo', 'diagnostics.spend'] });
    expect(await past()).toEqual([]);
    expect(await repaired()).toEqual([{ at: expect.any(String) }]);
  });

  it('of an address that the rules refuse goes only when they change its networks', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { allowed_ips: ['198.51.100.0/24'] });
    expect(await refuse(person.key, ECHO)).toBe('IP_NOT_ALLOWED');
    await rule(person, person.keyId, { allowed_ips: ['198.51.100.0/24'], rate_limits: { per_minute: 50 } });
    expect((await attend(person)).past).toHaveLength(1);
    await rule(person, person.keyId, { allowed_ips: ['198.51.100.0/24', '203.0.113.0/24'] });
    expect((await attend(person)).past).toEqual([]);
  });

  it('names the tool or how many there are, and what the last call with invalid input got', async () => {
    const person = await harness.person(1_000_000n);
    const past = async () =>
      (await getAttention(harness.runtime, createSessionActor(person), undefined)).past;
    await refuse(person.key, { ...SPEND, input: {} });
    await refuse(person.key, { ...SPEND, input: { amount_usd: 'two' } });
    expect(await past()).toMatchObject([
      { tool: 'diagnostics', skill: 'spend', tools: 1, message: expect.stringContaining('amount_usd') },
    ]);
    await refuse(person.key, { tool: 'math', skill: 'evaluate', input: {} });
    expect(await past()).toMatchObject([
      { tool: null, skill: null, tools: 2, message: expect.stringContaining('expression') },
    ]);
    // Each tool is corrected by itself; then the reason is repaired, without a known time.
    await succeed(person.key, { tool: 'math', skill: 'evaluate', input: { expression: '1' } });
    expect(await past()).toHaveLength(1);
    await succeed(person.key, SPEND);
    expect(await past()).toEqual([]);
    expect((await report(person)).by_reason).toMatchObject([{ refused: 3, repaired: { at: null } }]);
  });

  it('counts as the report of refused calls does, which also has those before the last success', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 0.4, period: 'day' } });
    await succeed(person.key, SPEND);
    await refuse(person.key, SPEND);
    await succeed(person.key, { ...SPEND, input: { amount_usd: 0.1 } });
    for (let n = 0; n < 2; n++) await refuse(person.key, SPEND);
    const { now } = await getAttention(harness.runtime, createSessionActor(person), undefined);
    const [reason] = (await report(person)).by_reason;
    expect(reason).toMatchObject({ refused: 3, repaired: null, in_force: { refused: 2 } });
    expect(now).toMatchObject([{ refused: 2, since: reason?.in_force?.since }]);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 1, period: 'day' } });
    expect((await report(person)).by_reason).toMatchObject([
      { refused: 3, in_force: null, repaired: { at: expect.any(String) } },
    ]);
  });

  it('is a spending limit of a key until it is raised, also while free calls succeed', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 0.3, period: 'day' } });
    await succeed(person.key, SPEND);
    await refuse(person.key, SPEND);
    await succeed(person.key, ECHO);
    const limit = { key_id: person.keyId, keys: 1, limit: 'key', refused: 1 };
    expect(await attend(person)).toEqual({ now: [limit], past: [] });
    await rule(person, person.keyId, { spend_limit: { amount_usd: 1, period: 'day' } });
    expect(await attend(person)).toEqual({ now: [], past: [] });
  });

  it('of a team is shown to its members only', async () => {
    const [owner, outsider] = [await harness.person(1_000_000n), await harness.person()];
    await harness.team(owner.userId, 'attention', 0n);
    const json = { billing: 'attention' };
    const { body } = await harness.request('POST', '/v1/keys', { key: owner.key, json });
    await refuse(body.secret, SPEND);
    expect((await attend(owner, 'attention')).now).toMatchObject([{ key_id: body.id, limit: 'account' }]);
    expect(await attend(owner)).toEqual({ now: [], past: [] });
    await expect(attend(outsider, 'attention')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

it('a CSV has the refused calls of exactly what is filtered, a row per minute, key, code and tool', async () => {
  const person = await harness.person();
  const second = await harness.addKey(person.accountId);
  for (const key of [person.key, person.key, second.key]) await refuse(key, SPEND);
  await refuse(second.key, { ...ECHO, tool: 'nothing' });
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
  for (const { key } of [person, other]) await refuse(key, SPEND);
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
