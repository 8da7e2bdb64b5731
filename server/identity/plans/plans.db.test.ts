import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { lockStorage } from '../../assets/store';
import { CALL_WINDOWS, mapWindows } from '../../core/limits/limits';
import { createTeam } from '../teams/create-team';
import { getAccountLimits } from './get-account-limits';
import { removePlan, savePlan, setAccountLimits } from './manage-plans';
import type { LimitsInput } from './schema';

const BY = { name: 'operator:test' };
const LIMITS: LimitsInput = {
  ...mapWindows(({ quota }) => quota),
  per_minute: 3,
  concurrent: 5,
  storage_mib: 7,
  month_limit_max_usd: null,
};
const skill = (name: string, fast: boolean) =>
  defineTestSkill({
    name,
    input: z.object({}),
    output: z.object({ ok: z.boolean() }),
    annotations: { readOnly: fast },
    run: async () => ({ output: { ok: true } }),
  });
const tool = defineTestTool('probe', [skill('fast', true), skill('regular', false)]);

let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ tools: [tool], env: { RATE_PER_MINUTE: '5' } });
  const { claimSecret, vaultKey } = one.runtime.settings;
  const env = { RATE_PER_MINUTE: '5', CLAIM_SECRET: claimSecret, VAULT_KEY: vaultKey };
  two = await startHarness({ tools: [tool], env, peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const call = (key: string, name: string, at = one, headers: Record<string, string> = {}) =>
  at.request('POST', '/v1/tools/call', { key, headers, json: { tool: 'probe', skill: name, input: {} } });
const setOwn = (accountId: string, limits: LimitsInput) =>
  setAccountLimits(one.runtime, BY, accountId, { source: 'own', limits });
let plans = 0;
const createPlan = async (limits: LimitsInput) =>
  (await savePlan(one.runtime, BY, { ...limits, name: `Plan ${++plans}` })).id;

describe('the limits of an account', () => {
  it.each([
    ['path that runs first', 'fast', {}, 200],
    ['path that admits first', 'regular', {}, 200],
    ['queue', 'regular', { prefer: 'wait=0' }, 202],
  ])('decide on the %s, also lower and higher than the gateway’s @F29', async (_, name, headers, status) => {
    for (const limit of [3, 8]) {
      const { key, accountId } = await one.person();
      // The key is in the cache of both processes, with the limits of the gateway.
      for (const at of [one, two]) expect((await call(key, name, at)).status).toBe(200);
      await setOwn(accountId, { ...LIMITS, per_minute: limit });
      const answers = [];
      for (let n = 3; n <= limit; n++) answers.push(await call(key, name, n % 2 ? one : two, headers));
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
      for (const at of [one, two]) {
        const over = await call(key, name, at, headers);
        expect(over.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'minute' });
        expect(over.body.error.message).toBe(`At most ${limit} calls a minute.`);
        expect(over.headers['ratelimit-policy']).toContain(`"minute";q=${limit};w=60, "hour";q=1000;w=3600`);
        expect(over.headers['ratelimit-limit']).toBe(String(limit));
      }
    }
  });

  it('leave a window that is newer than they are to the gateway', async () => {
    const { key, keyId, accountId } = await one.person();
    await setOwn(accountId, LIMITS);
    await one.runtime.sql`update accounts set call_quotas = '{7}' where id = ${accountId}`;
    await one.runtime.sql`update api_keys set account_quotas = '{7}', rules_version = rules_version + 1,
      window_used = '{0,999}', window_started_at = array[now(), now()] where id = ${keyId}`;
    expect((await call(key, 'regular')).headers['ratelimit-policy']).toContain(
      '"minute";q=7;w=60, "hour";q=1000;w=3600',
    );
    for (const name of ['fast', 'regular'])
      expect((await call(key, name)).body.error).toMatchObject({
        limit: 'hour',
        message: 'At most 1000 calls an hour.',
      });
    expect(await getAccountLimits(one.runtime, accountId)).toMatchObject({ per_minute: 7, per_hour: 1_000 });
    const wanted = { key, json: { rate_limits: { per_hour: 1_001 } } };
    expect((await one.request('POST', '/v1/keys', wanted)).body.error.fields).toEqual([
      { path: 'rate_limits.per_hour', message: 'Must be at most 1000, the limit of this account.' },
    ]);
  });

  it('bound the calls at once, and a key’s lower limit still applies', async () => {
    const { key, keyId, accountId } = await one.person();
    await setOwn(accountId, { ...LIMITS, concurrent: 9 });
    await one.runtime.sql`update api_keys set running = 8 where id = ${keyId}`;
    expect((await call(key, 'regular')).status).toBe(200);
    await one.runtime.sql`update api_keys set running = 9 where id = ${keyId}`;
    for (const name of ['fast', 'regular']) {
      const { error } = (await call(key, name)).body;
      expect(error).toMatchObject({ limit: 'concurrency', message: 'At most 9 calls at once.' });
    }
    await one.runtime.sql`update api_keys set running = 0 where id = ${keyId}`;
    const path = `/v1/keys/${keyId}`;
    const json = { name: 'lower', rate_limits: { concurrent: 1, per_minute: null, per_hour: null } };
    const other = await one.addKey(accountId);
    expect((await one.request('PATCH', path, { key: other.key, json })).status).toBe(200);
    await one.runtime.sql`update api_keys set running = 1 where id = ${keyId}`;
    expect((await call(key, 'fast')).body.error.message).toBe('At most 1 calls at once.');
    await one.runtime.sql`update api_keys set running = 0 where id = ${keyId}`;
  });

  it('bound the limits that a key may get', async () => {
    const { key, accountId } = await one.person();
    await setOwn(accountId, { ...LIMITS, per_minute: 50 });
    const create = (per_minute: number) =>
      one.request('POST', '/v1/keys', {
        key,
        json: { rate_limits: { per_minute, per_hour: null, concurrent: null } },
      });
    expect((await create(51)).body.error.fields).toEqual([
      { path: 'rate_limits.per_minute', message: 'Must be at most 50, the limit of this account.' },
    ]);
    expect((await create(50)).status).toBe(201);
  });

  it('reach a new key, and a key that is claimed', async () => {
    const { key, accountId, userId } = await one.person();
    await setOwn(accountId, LIMITS);
    const added = await one.addKey(accountId);
    expect((await call(added.key, 'fast')).headers['ratelimit-limit']).toBe('3');
    const provisioned = (await one.request('POST', '/v1/auth/provision')).body;
    expect((await call(provisioned.api_key, 'fast')).headers['ratelimit-limit']).toBe('5');
    const token = new URL(provisioned.claim_url).searchParams.get('token');
    const claimed = await one.request('POST', '/v1/auth/claim', { key, json: { token } });
    expect([claimed.status, userId]).toEqual([200, userId]);
    expect((await call(provisioned.api_key, 'fast', two)).headers['ratelimit-limit']).toBe('3');
  });

  it('are shown by GET /v1/me and bound storage', async () => {
    const { key, accountId } = await one.person();
    const id = await createPlan(LIMITS);
    await setAccountLimits(one.runtime, BY, accountId, { source: 'plan', plan_id: id });
    const { body } = await one.request('GET', '/v1/me', { key });
    expect(body.limits).toMatchObject({
      plan: `Plan ${plans}`,
      windows: CALL_WINDOWS.map(({ field }) => ({ limit: LIMITS[field] })),
      concurrent: { limit: 5 },
    });
    expect(body.allowances.storage.quota_bytes).toBe(7 * 1024 * 1024);
    const use = await one.runtime.db.transaction((tx) => lockStorage(tx, accountId));
    expect(use?.quotaMib).toBe(7);
  });

  it('set a monthly limit that the account may only lower', async () => {
    const { key, accountId } = await one.person();
    const write = (budgetLimit: number | null) =>
      one.request('PUT', '/v1/billing/preferences', { key, json: { budgetLimit } });
    await setOwn(accountId, { ...LIMITS, month_limit_max_usd: 20 });
    const { body } = await one.request('GET', '/v1/billing/preferences', { key });
    expect(body).toMatchObject({ budgetLimit: 20, budgetLimitMax: 20 });
    for (const wrong of [null, 20.01])
      expect((await write(wrong)).body.error.fields[0].path).toBe('budgetLimit');
    expect((await write(5)).body.budgetLimit).toBe(5);
    await setAccountLimits(one.runtime, BY, accountId, { source: 'gateway' });
    expect((await write(null)).body).toMatchObject({ budgetLimit: null, budgetLimitMax: null });
    await expect(
      one.runtime.sql`update accounts set call_quotas = '{1,1}', concurrent_calls = 1, asset_quota_mib = 1,
        month_limit_max_microusd = 1 where id = ${accountId}`,
    ).rejects.toThrow('accounts_month_limit_within_max');
  });
});

it('a monthly limit that the operator sets or lowers begins its alerts at the next threshold', async () => {
  const { accountId } = await one.person();
  const readAlert = async () =>
    (await one.runtime.sql`select budget_alert_at_microusd as at from accounts where id = ${accountId}`)[0]
      ?.at;
  await setOwn(accountId, { ...LIMITS, month_limit_max_usd: 20 });
  expect(await readAlert()).toBe(10_000_000n);
  await one.runtime.sql`update accounts set month_start = date_trunc('month', now() at time zone 'UTC')::date,
    month_spent_microusd = 6000000 where id = ${accountId}`;
  await setOwn(accountId, { ...LIMITS, month_limit_max_usd: 10 });
  expect(await readAlert()).toBe(8_000_000n);
  // A higher maximum changes neither the limit nor its alerts.
  await setOwn(accountId, { ...LIMITS, month_limit_max_usd: 30 });
  expect(await readAlert()).toBe(8_000_000n);
});

describe('a plan', () => {
  it('changes for all its accounts, except those with limits of their own, and is removed', async () => {
    const [plain, own] = [await one.person(), await one.person()];
    const id = await createPlan(LIMITS);
    for (const { accountId } of [plain, own])
      await setAccountLimits(one.runtime, BY, accountId, { source: 'plan', plan_id: id });
    await setOwn(own.accountId, { ...LIMITS, per_minute: 4 });
    const limits = async () =>
      await Promise.all(
        [plain, own].map(async ({ key }) => (await call(key, 'fast', two)).headers['ratelimit-limit']),
      );
    expect(await limits()).toEqual(['3', '4']);
    await savePlan(one.runtime, BY, { ...LIMITS, per_minute: 30, id, name: `Plan ${plans}` });
    expect(await limits()).toEqual(['30', '4']);
    await removePlan(one.runtime, BY, id);
    expect(await limits()).toEqual(['5', '4']);
    const audited = await one.runtime.sql`select action from audit_events where target = ${id} order by id`;
    expect(audited.map(({ action }) => action)).toEqual(['plan.create', 'plan.update', 'plan.delete']);
  });

  it('is also that of a team which a person with it creates', async () => {
    const { key, accountId, userId } = await one.person();
    const id = await createPlan({ ...LIMITS, month_limit_max_usd: 20 });
    await setAccountLimits(one.runtime, BY, accountId, { source: 'plan', plan_id: id });
    const slug = `planned-${plans}`;
    await createTeam(one.runtime, createSessionActor({ userId, accountId }), { name: 'Planned', slug });
    const created = await one.request('POST', '/v1/keys', { key, json: { billing: slug } });
    const readLimit = async () => (await call(created.body.secret, 'fast', two)).headers['ratelimit-limit'];
    expect(await readLimit()).toBe('3');
    const { body } = await one.request('GET', `/v1/billing/preferences?billing=${slug}`, { key });
    expect(body).toMatchObject({ budgetLimit: 20, budgetLimitMax: 20 });
    await savePlan(one.runtime, BY, { ...LIMITS, per_minute: 30, id, name: `Plan ${plans}` });
    expect(await readLimit()).toBe('30');
  });

  it('does not miss a team that is created while it changes @F29', async () => {
    const { accountId, userId } = await one.person();
    const id = await createPlan(LIMITS);
    await setAccountLimits(one.runtime, BY, accountId, { source: 'plan', plan_id: id });
    const actor = createSessionActor({ userId, accountId });
    const create = Array.from({ length: 8 }, (_, n) =>
      createTeam(one.runtime, actor, { name: 'Planned', slug: `planned-${plans}-${n}` }),
    );
    await Promise.all([
      ...create,
      savePlan(one.runtime, BY, { ...LIMITS, per_minute: 66, id, name: `Plan ${plans}` }),
    ]);
    const rows = await one.runtime
      .sql`select distinct call_quotas[1] as minute from accounts where owner_user_id = ${userId}`;
    expect(rows).toEqual([{ minute: 66 }]);
  });

  it('has a name of its own', async () => {
    await createPlan(LIMITS);
    const same = savePlan(one.runtime, BY, { ...LIMITS, name: `plan ${plans}` });
    await expect(same).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('does not reach an account that gets limits of its own while it changes', async () => {
    const { sql } = one.runtime;
    const { accountId } = await one.person();
    const id = await createPlan(LIMITS);
    await setAccountLimits(one.runtime, BY, accountId, { source: 'plan', plan_id: id });
    const countWaits = async () =>
      (
        await sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    const changed = await sql.begin(async (tx) => {
      await tx`select 1 from accounts where id = ${accountId} for update`;
      const change = savePlan(one.runtime, BY, { ...LIMITS, per_minute: 30, id, name: `Plan ${plans}` });
      await expect.poll(countWaits).toBeGreaterThan(0);
      await tx`update accounts set own_limits = true where id = ${accountId}`;
      return { change };
    });
    await changed.change;
    const rows = await sql`select own_limits, call_quotas[1] as minute from accounts where id = ${accountId}`;
    expect(rows).toEqual([{ own_limits: true, minute: 3 }]);
  });

  it('changes while keys are added without leaving one behind @F29', async () => {
    const { accountId } = await one.person();
    const id = await createPlan(LIMITS);
    await setAccountLimits(one.runtime, BY, accountId, { source: 'plan', plan_id: id });
    const add = Array.from({ length: 20 }, () => one.addKey(accountId));
    const change = savePlan(one.runtime, BY, { ...LIMITS, per_minute: 77, id, name: `Plan ${plans}` });
    await Promise.all([...add, change]);
    const rows = await one.runtime
      .sql`select distinct account_quotas[1] as minute from api_keys where account_id = ${accountId}`;
    expect(rows).toEqual([{ minute: 77 }]);
  });
});
