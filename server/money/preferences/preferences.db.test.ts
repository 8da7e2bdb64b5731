import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const read = (key: string, query = '') => harness.request('GET', `/v1/billing/preferences${query}`, { key });
const write = (key: string, json: unknown) =>
  harness.request('PUT', '/v1/billing/preferences', { key, json });

describe('preferences', () => {
  it('default to no charges and no limit', async () => {
    const { key } = await harness.person();
    expect((await read(key)).body).toEqual({
      autoReloadEnabled: false,
      autoReloadThreshold: 5,
      autoReloadAmount: 20,
      autoReloadDailyLimit: 500,
      budgetLimit: null,
      budgetLimitMax: null,
      spent_this_month_usd: 0,
      spending_resets_at: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00\.000Z$/),
      budgetAlerts: true,
      saved_card: null,
      auto_reload_stopped_at: null,
      auto_reload_stopped_reason: null,
    });
  });

  it('change only the given fields', async () => {
    const { key } = await harness.person();
    const first = await write(key, { autoReloadEnabled: true, autoReloadAmount: 25.5 });
    expect(first.body).toMatchObject({
      autoReloadEnabled: true,
      autoReloadThreshold: 5,
      autoReloadAmount: 25.5,
    });
    const second = await write(key, { budgetLimit: 0.000001 });
    expect(second.body).toMatchObject({
      autoReloadEnabled: true,
      autoReloadAmount: 25.5,
      budgetLimit: 0.000001,
    });
    const third = await write(key, { budgetLimit: null });
    expect(third.body).toMatchObject({ autoReloadEnabled: true, budgetLimit: null });
    expect((await write(key, {})).body).toEqual((await read(key)).body);
  });

  it.each([
    [{ autoReloadAmount: 0.99 }],
    [{ autoReloadAmount: 500.01 }],
    [{ autoReloadAmount: 10.001 }],
    [{ autoReloadAmount: '20' }],
    [{ autoReloadThreshold: -1 }],
    [{ autoReloadThreshold: 1e-7 }],
    [{ autoReloadDailyLimit: 0 }],
    [{ autoReloadDailyLimit: 5_001 }],
    [{ autoReloadDailyLimit: null }],
    [{ autoReloadEnabled: 'yes' }],
    [{ autoReloadEnabled: 1 }],
    [{ autoReloadEnabled: null }],
    [{ budgetLimit: -0.01 }],
    [{ budgetLimit: '10' }],
    [{ budgetLimit: 1e300 }],
    [{ budgetLimit: false }],
  ])('refuse %j by its name, and change no other field', async (wrong) => {
    const { key } = await harness.person();
    const [name] = Object.keys(wrong);
    const { status, body } = await write(key, { autoReloadThreshold: 7, ...wrong });
    expect(status).toBe(400);
    expect(body.error.fields[0].path).toBe(name);
    expect((await read(key)).body.autoReloadThreshold).toBe(5);
  });

  it.each([
    [{ autoReloadDailyLimit: 19.99 }, ['autoReloadDailyLimit', 'autoReloadAmount']],
    [{ autoReloadAmount: 30, autoReloadDailyLimit: 29 }, ['autoReloadDailyLimit', 'autoReloadAmount']],
    [{ autoReloadEnabled: true, autoReloadDailyLimit: 1 }, ['autoReloadDailyLimit', 'autoReloadAmount']],
  ])('refuse %j, as no reload would be allowed, and name %j', async (wrong, names) => {
    const { key } = await harness.person();
    const { status, body } = await write(key, { budgetLimit: 3, ...wrong });
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error.fields.map(({ path }: { path: string }) => path)).toEqual(names);
    expect((await read(key)).body).toMatchObject({
      autoReloadEnabled: false,
      autoReloadThreshold: 5,
      autoReloadAmount: 20,
      budgetLimit: null,
    });
    expect((await write(key, { autoReloadDailyLimit: 20 })).status).toBe(200);
  });

  it.each([
    { autoReloadAmount: 1 },
    { autoReloadAmount: 500 },
    { autoReloadThreshold: 10_000, autoReloadEnabled: true },
  ])('accept %j: every amount, as caps bound the charges @F19', async (change) => {
    const { key } = await harness.person();
    expect(await write(key, change)).toMatchObject({ status: 200, body: change });
  });

  it('of a version without bounds can be switched off, and on only with consistent amounts @F19', async () => {
    const { key, accountId } = await harness.person();
    await harness.runtime.sql`update accounts set auto_reload_enabled = true,
      reload_daily_limit_microusd = 1000000 where id = ${accountId}`;
    expect((await write(key, { budgetLimit: 4 })).status).toBe(200);
    expect((await write(key, { autoReloadEnabled: false })).status).toBe(200);
    expect((await write(key, { autoReloadEnabled: true })).status).toBe(400);
    const fitting = { autoReloadEnabled: true, autoReloadAmount: 1 };
    expect((await write(key, fitting)).body).toMatchObject(fitting);
  });

  it('do not remove the limit for Infinity, which JSON serialises as null @A15', async () => {
    const { key } = await harness.person();
    await write(key, { budgetLimit: 3 });
    const answer = await harness.request('PUT', '/v1/billing/preferences', {
      key,
      raw: '{"budgetLimit":1e309}',
    });
    expect(answer.status).toBe(400);
    expect((await read(key)).body.budgetLimit).toBe(3);
  });

  it('of a team are readable by its members and writable by its owner and admins', async () => {
    const owner = await harness.person();
    const member = await harness.person();
    const team = await harness.team(owner.userId, 'careful', 0n);
    await harness.runtime
      .sql`insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
    expect((await write(owner.key, { budgetLimit: 9, billing: 'careful' })).status).toBe(200);
    expect((await write(member.key, { budgetLimit: 99, billing: 'careful' })).status).toBe(403);
    expect((await read(member.key, '?billing=careful')).body.budgetLimit).toBe(9);
    expect((await read(owner.key)).body.budgetLimit).toBeNull();
    expect((await read((await harness.person()).key, '?billing=careful')).status).toBe(403);
  });

  it('of a provisional key require a claim', async () => {
    const provisioned = await harness.request('POST', '/v1/auth/provision', { ip: '10.9.8.8' });
    const key = provisioned.body.api_key;
    expect((await write(key, { budgetLimit: 1 })).body.error).toMatchObject({
      code: 'CLAIM_REQUIRED',
      claim_url: provisioned.body.claim_url,
    });
    expect((await read(key)).status).toBe(200);
  });
});

describe('the monthly limit', () => {
  const spend = (key: string, amount = 0.5) =>
    harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: amount, seconds: 0.2 } },
    });

  it('lets three of fifty concurrent calls run if there is room for three @A19', async () => {
    const person = await harness.person(100_000_000n);
    await write(person.key, { budgetLimit: 1.5 });
    // Enough keys that no other limit is reached.
    const keys = await Promise.all(Array.from({ length: 10 }, () => harness.addKey(person.accountId)));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => spend(keys[at % keys.length]?.key ?? '')),
    );
    const ran = answers.filter(({ status }) => status === 200);
    const stopped = answers.filter(({ status }) => status === 429);
    expect([ran.length, stopped.length]).toEqual([3, 47]);
    for (const { body, headers } of stopped) {
      expect(body.error).toMatchObject({
        code: 'SPENDING_LIMIT_EXCEEDED',
        type: 'rate_limit',
        billed: false,
      });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['ratelimit-policy']).toBeDefined();
    }
    expect((await read(person.key)).body.spent_this_month_usd).toBe(1.5);
    // Free calls still work.
    const free = { tool: 'diagnostics', skill: 'echo', input: { message: 'still here' } };
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: free })).status).toBe(
      200,
    );
  });

  it("resets with the database's month, in UTC", async () => {
    const person = await harness.person(100_000_000n);
    await write(person.key, { budgetLimit: 0.5 });
    expect((await spend(person.key)).status).toBe(200);
    expect((await spend(person.key)).status).toBe(429);
    await harness.runtime.sql`
      update accounts set month_start = (month_start - interval '1 month')::date where id = ${person.accountId}`;
    expect((await read(person.key)).body.spent_this_month_usd).toBe(0);
    expect((await spend(person.key)).status).toBe(200);
    expect((await spend(person.key)).status).toBe(429);
  });
});
