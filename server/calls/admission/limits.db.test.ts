import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { free, perCall } from '../../tools/sdk/define-tool';

/** Handlers that wait until the test releases them. */
const gates = new Map<string, () => void>();
const annotations = { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 };
const gate = (name: string, price: typeof free) =>
  defineTestSkill<{ id: string }, { id: string }>({
    name,
    input: z.object({ id: z.string() }),
    output: z.object({ id: z.string() }),
    price,
    annotations,
    run: ({ input }) => new Promise((done) => gates.set(input.id, () => done({ output: { id: input.id } }))),
  });
const quick = (name: string, price: typeof free) =>
  defineTestSkill({
    name,
    input: z.object({}),
    output: z.object({ ok: z.boolean() }),
    price,
    annotations,
    run: async () => ({ output: { ok: true } }),
  });
const tool = defineTestTool('probe', [
  gate('wait', free),
  gate('wait_paid', perCall(100n)),
  quick('ok', free),
  quick('ok_paid', perCall(100n)),
]);

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [tool] });
});
afterAll(() => harness.close());

const call = (key: string, skill: string, input: object = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'probe', skill, input } });
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((done) => setTimeout(done, 5));
};

describe('the limits of a key', () => {
  it('of a hundred calls sixty start, and the others get a Retry-After', async () => {
    const { key } = await harness.person();
    const statuses: number[] = [];
    // Five at a time, because of the concurrency limit.
    for (let round = 0; round < 20; round++) {
      const five = await Promise.all(Array.from({ length: 5 }, () => call(key, 'ok')));
      statuses.push(...five.map((answer) => answer.status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    const refused = await call(key, 'ok');
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_EXCEEDED', limit: 'minute', billed: false } },
    });
    expect(refused.headers['ratelimit-policy']).toContain('"minute";q=60;w=60, "hour";q=1000;w=3600');
    expect(refused.headers.ratelimit).toMatch(/^"minute";r=0;t=\d+, "hour";r=940;t=\d+/);
    expect(Number(refused.headers['retry-after'])).toBe(refused.body.error.retry_after);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('the full quota is available after the window has ended @E2', async () => {
    const { key, keyId } = await harness.person();
    await call(key, 'ok');
    await harness.runtime
      .sql`update api_keys set window_used[1] = 60, window_started_at[1] = now() - interval '30 seconds' where id = ${keyId}`;
    expect((await call(key, 'ok')).status).toBe(429);
    await harness.runtime
      .sql`update api_keys set window_started_at[1] = now() - interval '60 seconds' where id = ${keyId}`;
    const after = await call(key, 'ok');
    expect(after.status).toBe(200);
    expect(after.headers['ratelimit-remaining']).toBe('59');
  });

  it('the hourly limit applies when the minute limit does not', async () => {
    const { key, keyId } = await harness.person();
    await harness.runtime
      .sql`update api_keys set window_used[2] = 1000, window_started_at[2] = now() where id = ${keyId}`;
    const refused = await call(key, 'ok');
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 'hour' });
    expect(refused.headers['ratelimit-limit']).toBe('1000');
  });

  it('five calls run concurrently, the sixth is refused, and a slot is released when one ends @E4', async () => {
    const { key } = await harness.person();
    const running = Array.from({ length: 5 }, (_, i) => call(key, 'wait', { id: `slot-${i}` }));
    await until(() => [0, 1, 2, 3, 4].every((i) => gates.has(`slot-${i}`)));
    const sixth = await call(key, 'ok');
    expect(sixth).toMatchObject({ status: 429, body: { error: { limit: 'concurrency' } } });
    gates.get('slot-0')?.();
    await running[0];
    expect((await call(key, 'ok')).status).toBe(200);
    for (let i = 1; i < 5; i++) gates.get(`slot-${i}`)?.();
    await Promise.all(running);
  });

  it('a refused call and invalid input use no quota, and their responses still have the headers @A23 @E5', async () => {
    const { key } = await harness.person(0n);
    const wrong = await call(key, 'wait', { id: 5 });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path: 'input.id' }], billed: false } },
    });
    expect(wrong.headers['ratelimit-remaining']).toBe('60');
    const broke = await call(key, 'ok_paid');
    expect(broke).toMatchObject({
      status: 402,
      body: { error: { code: 'INSUFFICIENT_CREDITS', limit: 'account' } },
    });
    expect(broke.headers['ratelimit-remaining']).toBe('60');
  });
});

describe('money caps', () => {
  it('the credits of a key hold under concurrent calls', async () => {
    const person = await harness.person(1_000_000n);
    const capped = await harness.addKey(person.accountId, 250n);
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(capped.key, 'ok_paid')));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
    expect(answers.find((answer) => answer.status === 402)?.body.error.limit).toBe('key');
    const [row] = await harness.runtime
      .sql`select credits_used_microusd, credits_held_microusd from api_keys where id = ${capped.keyId}`;
    expect(row).toMatchObject({ credits_used_microusd: 200n, credits_held_microusd: 0n });
  });

  it('fifty concurrent paid calls with room for three under the monthly limit spend exactly three @A19', async () => {
    const person = await harness.person(1_000_000n);
    await harness.runtime.sql`update accounts set budget_limit_microusd = 350 where id = ${person.accountId}`;
    const keys = [person.key];
    for (let i = 1; i < 10; i++) keys.push((await harness.addKey(person.accountId)).key);
    const answers = await Promise.all(
      keys.flatMap((key) => Array.from({ length: 5 }, () => call(key, 'ok_paid'))),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(3);
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused?.body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const [row] = await harness.runtime
      .sql`select month_spent_microusd, balance_microusd from accounts where id = ${person.accountId}`;
    expect(row).toMatchObject({ month_spent_microusd: 300n, balance_microusd: 999_700n });
  });

  it('the monthly limit resets with a new month', async () => {
    const person = await harness.person(1_000_000n);
    await harness.runtime.sql`update accounts set budget_limit_microusd = 100, month_spent_microusd = 100,
      month_start = (date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date where id = ${person.accountId}`;
    expect((await call(person.key, 'ok_paid')).status).toBe(200);
    expect((await call(person.key, 'ok_paid')).status).toBe(429);
  });

  it('an account with a debt can run only free skills', async () => {
    const person = await harness.person(1_000_000n);
    await harness.runtime
      .sql`update accounts set balance_microusd = 0, debt_microusd = 1 where id = ${person.accountId}`;
    expect((await call(person.key, 'ok_paid')).body.error).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      limit: 'debt',
    });
    expect((await call(person.key, 'ok')).status).toBe(200);
  });

  it('a frozen account can neither call tools nor read its balance', async () => {
    const person = await harness.person(1_000_000n);
    await harness.runtime.sql`update accounts set frozen_at = now() where id = ${person.accountId}`;
    expect((await call(person.key, 'ok')).body.error.code).toBe('FORBIDDEN');
    expect((await harness.request('GET', '/v1/billing/balance', { key: person.key })).status).toBe(403);
  });

  it('a team is charged by slug, and only by its members @B2', async () => {
    const owner = await harness.person(0n);
    const outsider = await harness.person(1_000_000n);
    const teamId = await harness.team(owner.userId, 'acme', 1000n);
    const pay = (key: string, billing: string) =>
      harness.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'probe', skill: 'ok_paid', input: {}, billing },
      });
    for (const billing of ['acme', 'team']) expect((await pay(owner.key, billing)).status).toBe(200);
    expect((await pay(outsider.key, 'acme')).body.error.code).toBe('FORBIDDEN');
    expect((await pay(outsider.key, 'nobody')).body.error.code).toBe('FORBIDDEN');
    const [row] = await harness.runtime.sql`select balance_microusd from accounts where id = ${teamId}`;
    expect(row).toMatchObject({ balance_microusd: 800n });
    await harness.runtime.sql`delete from memberships where account_id = ${teamId}`;
    expect((await pay(owner.key, 'acme')).status).toBe(403);
  });
});

describe('a revoked key', () => {
  it('is refused from the next request on, while running calls complete and are charged @B6', async () => {
    const person = await harness.person(1_000_000n);
    const other = await harness.addKey(person.accountId);
    const running = call(other.key, 'wait_paid', { id: 'revoked' });
    await until(() => gates.has('revoked'));
    const revoked = await harness.request('DELETE', `/v1/keys/${other.keyId}`, { key: person.key });
    expect(revoked.body).toEqual({ success: true, id: other.keyId });
    expect((await call(other.key, 'ok')).body.error.code).toBe('AUTH_FAILED');
    expect((await harness.request('GET', '/v1/billing/balance', { key: other.key })).status).toBe(401);
    gates.get('revoked')?.();
    expect((await running).body).toMatchObject({ status: 'success', usage: { cost: 0.0001 } });
  });
});

describe('a call of a dead process', () => {
  it('is ended when its lease expires: hold and slot are released, nothing is charged, and a late result changes nothing @A4', async () => {
    const person = await harness.person(1000n);
    const late = call(person.key, 'wait_paid', { id: 'dead' });
    await until(() => gates.has('dead'));
    expect(await reapElsewhere(harness.runtime)).toBe(0);
    await harness.runtime.sql`update calls set lease_expires_at = now() - interval '1 second'`;
    expect(await reapElsewhere(harness.runtime)).toBe(1);
    const [freed] = await harness.runtime.sql`select a.balance_microusd, a.held_microusd, k.running
      from accounts a join api_keys k on k.account_id = a.id where a.id = ${person.accountId}`;
    expect(freed).toMatchObject({ balance_microusd: 1000n, held_microusd: 0n, running: 0 });
    gates.get('dead')?.();
    expect((await late).body.error).toMatchObject({ code: 'HANDLER_ERROR', billed: false });
    const [after] = await harness.runtime
      .sql`select balance_microusd from accounts where id = ${person.accountId}`;
    expect(after).toMatchObject({ balance_microusd: 1000n });
  });
});

describe('a cached key', () => {
  it('is refused if it was revoked in another process, whatever else is wrong with the request @B6', async () => {
    const person = await harness.person(1_000_000n);
    const ask = (json: object) => harness.request('POST', '/v1/tools/call', { key: person.key, json });
    const good = { tool: 'probe', skill: 'ok', input: {} };
    expect((await ask(good)).status).toBe(200);
    // As another process would: no notice reaches this one.
    await harness.runtime.sql`update api_keys set revoked_at = now() where id = ${person.keyId}`;
    for (const json of [
      { ...good, dry_run: true },
      { tool: 'nope', skill: 'ok', input: {} },
      { tool: 5 },
      good,
    ])
      expect((await ask(json)).body.error.code).toBe('AUTH_FAILED');
  });

  it('is charged to its new account if it was claimed in another process', async () => {
    const [before, after] = [await harness.person(1000n), await harness.person(1000n)];
    expect((await call(before.key, 'ok_paid')).status).toBe(200);
    await harness.runtime.sql`update api_keys set account_id = ${after.accountId} where id = ${before.keyId}`;
    expect((await call(before.key, 'ok_paid')).body.usage.credits_remaining).toBe(0.0009);
  });
});
