import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { setCreditLimit } from '../identity/keys/set-credit-limit';
import { updateKey } from '../identity/keys/update-key';
import { setMemberLimit } from '../identity/teams/member-limit';
import { getAttention } from './get-attention';
import { ECHO, listBlocked, type Person, refuse, report, SPEND } from './testing/refused-calls';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;

const rule = (person: Person, keyId: string, json: object) =>
  updateKey(harness.runtime, createSessionActor(person), { id: keyId, ...json });

describe('a key that a limit refuses', () => {
  const limit = (person: Person, usd: number) =>
    rule(person, person.keyId, { spend_limit: { amount_usd: usd, period: 'day' } });

  it('is listed with its reason until the period ends, or its rules change', async () => {
    const person = await harness.person(1_000_000n);
    await limit(person, 0.3);
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: SPEND })).status).toBe(
      200,
    );
    expect(await listBlocked(harness, person)).toEqual([]);
    for (let n = 0; n < 2; n++)
      expect(await refuse(harness, person.key, SPEND)).toBe('SPENDING_LIMIT_EXCEEDED');
    const [blocked, ...more] = await listBlocked(harness, person);
    expect(more).toEqual([]);
    expect(blocked).toMatchObject({ key_id: person.keyId, limit: 'key', refused: 2 });
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    expect(Math.abs(Date.parse(blocked?.retry_at ?? '') - midnight)).toBeLessThanOrEqual(2_000);
    expect(Date.parse(blocked?.since ?? '')).toBeLessThanOrEqual(Date.parse(blocked?.last_at ?? ''));

    // Neither a change of another rule ends it, nor a free call; a higher limit does.
    const spend = { amount_usd: 0.3, period: 'day' };
    await rule(person, person.keyId, { tags: ['x'], rate_limits: { per_minute: 50 }, spend_limit: spend });
    expect(await listBlocked(harness, person)).toHaveLength(1);
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: ECHO })).status).toBe(
      200,
    );
    expect(await listBlocked(harness, person)).toHaveLength(1);
    await limit(person, 0.6);
    expect(await listBlocked(harness, person)).toEqual([]);
  });

  it('is counted since the last success that the limit could have refused', async () => {
    const person = await harness.person(1_000_000n);
    await limit(person, 0.4);
    const cheap = { ...SPEND, input: { amount_usd: 0.1 } };
    const succeed = async (json: object) =>
      expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json })).status).toBe(200);
    await succeed(SPEND);
    await refuse(harness, person.key, SPEND);
    await refuse(harness, person.key, SPEND);
    await succeed(cheap);
    // The limit still refuses such a call, but cheaper ones run.
    expect(await listBlocked(harness, person)).toEqual([]);
    await succeed(ECHO);
    for (let n = 0; n < 3; n++) await refuse(harness, person.key, SPEND);
    await succeed(ECHO);
    const [again] = await listBlocked(harness, person);
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
    expect(await refuse(harness, person.key, SPEND)).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await listBlocked(harness, person)).toMatchObject([{ limit: 'month', refused: 1 }]);
    // Neither a free call ends it, nor a change of something else.
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: ECHO })).status).toBe(
      200,
    );
    await harness.request('PUT', '/v1/billing/preferences', {
      key: person.key,
      json: { budgetAlerts: false },
    });
    expect(await listBlocked(harness, person)).toHaveLength(1);
    await setLimit(0.31);
    expect(await listBlocked(harness, person)).toEqual([]);
    // The raised limit may still be too low: the next refusal says so.
    expect(await refuse(harness, person.key, SPEND)).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await listBlocked(harness, person)).toMatchObject([{ limit: 'month' }]);
    await setLimit(null);
    expect(await listBlocked(harness, person)).toEqual([]);
    expect(await spend()).toBe(200);
  });

  it('by the limit of a member is listed until that limit is changed', async () => {
    const [owner, member] = [await harness.person(1_000_000n), await harness.person()];
    const teamId = await harness.team(owner.userId, 'refused-limit', 1_000_000n);
    await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${member.userId}, 'member')`;
    const setLimit = (limitUsd: number | null, userId = member.userId) =>
      setMemberLimit(harness.runtime, createSessionActor(owner), { slug: 'refused-limit', userId, limitUsd });
    await setLimit(0.1);
    expect(await refuse(harness, member.key, { ...SPEND, billing: 'refused-limit' })).toBe(
      'SPENDING_LIMIT_EXCEEDED',
    );
    expect(await listBlocked(harness, member)).toMatchObject([{ limit: 'member' }]);
    // The limit of another member does not concern it.
    await setLimit(5, owner.userId);
    expect(await listBlocked(harness, member)).toHaveLength(1);
    await setLimit(5);
    expect(await listBlocked(harness, member)).toEqual([]);
  });

  it('is listed with the limit that lasts longest, and not after it', async () => {
    const person = await harness.person(1_000_000n);
    await sql()`update api_keys set window_used[1] = 60, window_started_at[1] = now() where id = ${person.keyId}`;
    expect(await refuse(harness, person.key, ECHO)).toBe('RATE_LIMIT_EXCEEDED');
    expect(await listBlocked(harness, person)).toMatchObject([
      { error_code: 'RATE_LIMIT_EXCEEDED', limit: 'minute' },
    ]);
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
    expect(await listBlocked(harness, person)).toMatchObject([
      { error_code: 'SPENDING_LIMIT_EXCEEDED', limit: 'month' },
    ]);
    await sql()`update refusal_minutes set retry_at = now() where account_id = ${person.accountId}`;
    expect(await listBlocked(harness, person)).toEqual([]);
  });

  it('is listed without credit until the account gets some, also while free calls run', async () => {
    const [buyer, free] = [await harness.person(), await harness.person()];
    for (const person of [buyer, free]) {
      expect(await refuse(harness, person.key, SPEND)).toBe('INSUFFICIENT_CREDITS');
      expect(await listBlocked(harness, person)).toMatchObject([{ limit: 'account', retry_at: null }]);
    }
    await sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
      values ('grant', 'refused', ${buyer.accountId}, 'grants', 1000000)`;
    expect(await listBlocked(harness, buyer)).toEqual([]);
    expect((await harness.request('POST', '/v1/tools/call', { key: free.key, json: ECHO })).status).toBe(200);
    expect(await listBlocked(harness, free)).toHaveLength(1);
  });

  it('is listed without credit of its own until its credit limit is raised, not that of the account', async () => {
    const owner = await harness.person(1_000_000n);
    const { accountId } = owner;
    const { key, keyId } = await harness.addKey(accountId, 100n);
    const person = { ...owner, key, keyId };
    expect(await refuse(harness, key, SPEND)).toBe('INSUFFICIENT_CREDITS');
    expect(await listBlocked(harness, person)).toMatchObject([{ limit: 'key' }]);
    await sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
      values ('grant', 'refused key', ${accountId}, 'grants', 1000000)`;
    expect(await listBlocked(harness, person)).toHaveLength(1);
    await setCreditLimit(harness.runtime, createSessionActor(owner), { id: keyId, credit_limit_usd: 1 });
    expect(await listBlocked(harness, person)).toEqual([]);
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
    for (const key of [person.key, second.key, second.key]) await refuse(harness, key, SPEND);
    const account = { key_id: null, keys: 2, limit: 'account', refused: 3 };
    expect(await attend(person)).toEqual({ now: [account], past: [] });
    await sql()`insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd)
      values ('grant', 'attention', ${person.accountId}, 'grants', 1000000)`;
    expect(await attend(person)).toEqual({ now: [], past: [] });
  });

  it('separates invalid input from what the key may not do, until each is repaired', async () => {
    const person = await harness.person(1_000_000n);
    await refuse(harness, person.key, { ...SPEND, input: {} });
    await refuse(harness, person.key, { ...SPEND, input: {} });
    const input = [person.keyId, 'INVALID_INPUT', 2, true];
    expect(await attend(person)).toEqual({ now: [], past: [input] });
    // Another tool repairs nothing.
    await rule(person, person.keyId, { allowed_tools: ['diagnostics'] });
    expect(
      await refuse(harness, person.key, { tool: 'math', skill: 'evaluate', input: { expression: '1' } }),
    ).toBe('TOOL_NOT_ALLOWED');
    const denied = [person.keyId, 'TOOL_NOT_ALLOWED', 1, false];
    expect((await attend(person)).past).toEqual([denied, input]);
    await succeed(person.key, SPEND);
    expect((await attend(person)).past).toEqual([denied]);
    await rule(person, person.keyId, { allowed_tools: null });
    expect((await attend(person)).past).toEqual([]);
    // It is back with the next refusal, and gone after a day.
    await refuse(harness, person.key, { ...SPEND, input: {} });
    expect((await attend(person)).past).toEqual([[person.keyId, 'INVALID_INPUT', 3, true]]);
    await sql()`update refusal_minutes set minute = minute - interval '25 hours', last_at = last_at - interval '25 hours'
      where account_id = ${person.accountId}`;
    expect((await attend(person)).past).toEqual([]);
  });

  it('of a tool that the rules refuse goes only when they allow it, not with another rule', async () => {
    const person = await harness.person(1_000_000n);
    const past = async () =>
      (await getAttention(harness.runtime, createSessionActor(person), undefined)).past;
    const repaired = async () => (await report(harness, person)).by_reason.map((row) => row.repaired);
    await rule(person, person.keyId, { allowed_tools: ['diagnostics.echo'] });
    expect(await refuse(harness, person.key, SPEND)).toBe('TOOL_NOT_ALLOWED');
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
    expect(await repaired()).toEqual([{ at: expect.any(String), reset: false }]);
  });

  it('of an address that the rules refuse goes only when they change its networks', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { allowed_ips: ['198.51.100.0/24'] });
    expect(await refuse(harness, person.key, ECHO)).toBe('IP_NOT_ALLOWED');
    await rule(person, person.keyId, { allowed_ips: ['198.51.100.0/24'], rate_limits: { per_minute: 50 } });
    expect((await attend(person)).past).toHaveLength(1);
    await rule(person, person.keyId, { allowed_ips: ['198.51.100.0/24', '203.0.113.0/24'] });
    expect((await attend(person)).past).toEqual([]);
  });

  it('names the tool or how many there are, and what the last call with invalid input got', async () => {
    const person = await harness.person(1_000_000n);
    const past = async () =>
      (await getAttention(harness.runtime, createSessionActor(person), undefined)).past;
    await refuse(harness, person.key, { ...SPEND, input: {} });
    await refuse(harness, person.key, { ...SPEND, input: { amount_usd: 'two' } });
    expect(await past()).toMatchObject([
      { tool: 'diagnostics', skill: 'spend', tools: 1, message: expect.stringContaining('amount_usd') },
    ]);
    await refuse(harness, person.key, { tool: 'math', skill: 'evaluate', input: {} });
    expect(await past()).toMatchObject([
      { tool: null, skill: null, tools: 2, message: expect.stringContaining('expression') },
    ]);
    // Each tool is corrected by itself; then the reason is repaired, without a known time.
    await succeed(person.key, { tool: 'math', skill: 'evaluate', input: { expression: '1' } });
    expect(await past()).toHaveLength(1);
    await succeed(person.key, SPEND);
    expect(await past()).toEqual([]);
    expect((await report(harness, person)).by_reason).toMatchObject([{ refused: 3, repaired: { at: null } }]);
  });

  it('counts as the report of refused calls does, which also has those before the last success', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 0.4, period: 'day' } });
    await succeed(person.key, SPEND);
    await refuse(harness, person.key, SPEND);
    await succeed(person.key, { ...SPEND, input: { amount_usd: 0.1 } });
    for (let n = 0; n < 2; n++) await refuse(harness, person.key, SPEND);
    const { now } = await getAttention(harness.runtime, createSessionActor(person), undefined);
    const [reason] = (await report(harness, person)).by_reason;
    expect(reason).toMatchObject({ refused: 3, repaired: null, in_force: { refused: 2 } });
    expect(now).toMatchObject([{ refused: 2, since: reason?.in_force?.since }]);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 1, period: 'day' } });
    expect((await report(harness, person)).by_reason).toMatchObject([
      { refused: 3, in_force: null, repaired: { at: expect.any(String) } },
    ]);
  });

  it('counts and quotes the tools of a reason that are not repaired yet', async () => {
    const person = await harness.person(1_000_000n);
    await refuse(harness, person.key, { ...SPEND, input: {} });
    await refuse(harness, person.key, { tool: 'math', skill: 'evaluate', input: {} });
    await succeed(person.key, { tool: 'math', skill: 'evaluate', input: { expression: '1' } });
    const { past } = await getAttention(harness.runtime, createSessionActor(person), undefined);
    expect(past).toMatchObject([
      { tool: 'diagnostics', tools: 1, refused: 1, message: expect.stringContaining('amount_usd') },
    ]);
  });

  it('of a provider key that is missing goes when one for the tool is saved', async () => {
    const person = await harness.person(1_000_000n);
    const save = (provider: string) =>
      harness.request('PUT', `/v1/account/requirements/${provider}`, {
        key: person.key,
        json: { value: 'tvly-0123456789abcdef' },
      });
    const search = { tool: 'web-search', skill: 'search', input: { query: 'x' } };
    expect(await refuse(harness, person.key, search)).toBe('MISSING_CREDENTIALS');
    expect((await save('elevenlabs')).status).toBe(200);
    expect((await attend(person)).past).toHaveLength(1);
    expect((await save('tavily')).status).toBe(200);
    expect((await attend(person)).past).toEqual([]);
    expect((await report(harness, person)).by_reason).toMatchObject([
      { repaired: { at: expect.any(String), reset: false } },
    ]);
  });

  it('of a limit goes when the limit resets, and the report says so', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 0.3, period: 'day' } });
    await succeed(person.key, SPEND);
    await refuse(harness, person.key, SPEND);
    await sql()`update refusal_minutes set minute = minute - interval '2 minutes', last_at = last_at - interval '2 minutes',
      retry_at = now() - interval '1 minute' where account_id = ${person.accountId}`;
    expect(await attend(person)).toEqual({ now: [], past: [] });
    expect((await report(harness, person)).by_reason).toMatchObject([
      { in_force: null, repaired: { at: expect.any(String), reset: true } },
    ]);
  });

  it('is a spending limit of a key until it is raised, also while free calls succeed', async () => {
    const person = await harness.person(1_000_000n);
    await rule(person, person.keyId, { spend_limit: { amount_usd: 0.3, period: 'day' } });
    await succeed(person.key, SPEND);
    await refuse(harness, person.key, SPEND);
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
    await refuse(harness, body.secret, SPEND);
    expect((await attend(owner, 'attention')).now).toMatchObject([{ key_id: body.id, limit: 'account' }]);
    expect(await attend(owner)).toEqual({ now: [], past: [] });
    await expect(attend(outsider, 'attention')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
