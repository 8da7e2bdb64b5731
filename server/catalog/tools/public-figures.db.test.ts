import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import type { RequestContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { deleteAccount } from '../../lifecycle/delete-account';
import { getInsight } from '../../operations/operator/insight/get-insight';
import { listTools as listOperatorTools } from '../../operations/operator/list-tools';
import { listFailing } from '../../operations/operator/overview-store';
import { seedUsage } from '../../usage/seed-usage';
import { listReviews } from '../reviews/list-reviews';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { ...UNLIMITED_RATES, PROVISION_PER_HOUR: '1000' } });
});
afterAll(async () => {
  await harness.close();
});
beforeEach(async () => {
  const { sql } = harness.runtime;
  await sql`delete from reviews`;
  await sql`delete from usage_rollups`;
  await sql`delete from usage_records`;
});

type Person = Awaited<ReturnType<Harness['person']>>;

const evaluate = (key: string, expression: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'math', skill: 'evaluate', input: { expression } },
  });
const rate = (key: string, rating: number) =>
  harness.request('POST', '/v1/reviews', { key, json: { tool: 'math', rating, review: `stars: ${rating}` } });
async function figures() {
  harness.runtime.facts.invalidate();
  const { body } = await harness.request('GET', '/v1/tools/math');
  return { rating: body.rating, ...body.stats };
}
async function rater(rating: number): Promise<Person> {
  const person = await harness.person();
  expect((await evaluate(person.key, '1+1')).status).toBe(200);
  expect((await rate(person.key, rating)).body.verified).toBe(true);
  return person;
}

describe('the rating of a tool', () => {
  it('ignores provisional keys, whether or not they have called the tool @F18', async () => {
    await rater(5);
    const keys = await Promise.all(
      Array.from({ length: 4 }, async (_, n) => {
        const { body } = await harness.request('POST', '/v1/auth/provision', { ip: `192.0.2.${n}` });
        if (n === 0) await evaluate(body.api_key, '1');
        return body.api_key as string;
      }),
    );
    for (const key of keys) expect((await rate(key, 1)).status).toBe(200);
    expect((await figures()).rating).toEqual({ average: 5, count: 1 });
  });

  it('counts a claimed account from its first successful call on, not after invalid input @F18', async () => {
    const person = await harness.person();
    expect((await rate(person.key, 2)).body).toMatchObject({ rating: 2, verified: false });
    await evaluate(person.key, '6*');
    expect((await figures()).rating).toEqual({ average: null, count: 0 });
    await evaluate(person.key, '6*7');
    expect((await figures()).rating).toEqual({ average: 2, count: 1 });
  });

  it('counts a call that a team has paid for', async () => {
    const person = await harness.person();
    await harness.team(person.userId, 'payers', 1_000_000n);
    const json = { tool: 'math', skill: 'evaluate', input: { expression: '1' }, billing: 'payers' };
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json })).status).toBe(200);
    expect((await rate(person.key, 4)).body.verified).toBe(true);
    expect((await figures()).rating).toEqual({ average: 4, count: 1 });
  });

  it('counts a person once, with their latest review @F18', async () => {
    const person = await rater(5);
    const team = await harness.team(person.userId, 'second-vote', 0n);
    const { sql } = harness.runtime;
    await sql`update usage_rollups set account_id = ${team} where account_id = ${person.accountId}`;
    const { keyId } = await harness.addKey(team);
    await sql`insert into usage_rollups select ${team}, hour, ${keyId}, tool, calls, failed, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum from usage_rollups where account_id = ${team}`;
    await sql`insert into reviews (id, account_id, tool, rating, updated_at)
      values (${newId('review')}, ${team}, 'math', 1, now() + interval '1 minute')`;
    expect((await figures()).rating).toEqual({ average: 1, count: 1 });
  });

  it('loses the reviews of a deleted account, with their texts @F18', async () => {
    await rater(4);
    const gone = await rater(1);
    const closed = await rater(1);
    await deleteAccount(harness.runtime, createSessionActor(gone));
    await harness.runtime.sql`update accounts set closed_at = now() where id = ${closed.accountId}`;
    expect((await figures()).rating).toEqual({ average: 4, count: 1 });
    const context = { runtime: harness.runtime, transport: 'internal' } as RequestContext;
    const page = await listReviews(context, { tool: 'math', sort: 'newest', limit: 10 });
    expect(page).toMatchObject({ average: 4, count: 1, distribution: [0, 0, 0, 1, 0] });
    expect(page.reviews.map(({ rating }) => rating)).toEqual([4]);
    const [left] = await harness.runtime.sql`select count(*)::int as n from reviews
      where account_id = ${gone.accountId}`;
    expect(left?.n).toBe(0);
  });
});

describe('the success rate of a tool', () => {
  /** Makes the calls of a key that many, as if it had called more. */
  const countAs = (keyId: string, calls: number, failed: number) =>
    harness.runtime
      .sql`update usage_rollups set calls = ${calls}, failed = ${failed}, refused = 0 where key_id = ${keyId}`;

  it('does not change with invalid input, and the operator sees no failing tool @F14', async () => {
    const good = await harness.person();
    await evaluate(good.key, '1');
    await countAs(good.keyId, 20, 0);
    const bad = await harness.person();
    for (let n = 0; n < 8; n++) expect((await evaluate(bad.key, '6*')).status).toBe(400);
    // The first calls of a key take the regular path, later ones the fast path: both must count
    // alike.
    await harness.request('POST', '/v1/tools/call', {
      key: bad.key,
      json: { tool: 'math', skill: 'evaluate', input: { expression: '6*' } },
      headers: { prefer: 'wait=0' },
    });
    // That call is answered before it has ended.
    const usage = async () => (await harness.request('GET', '/v1/usage?period=day', { key: bad.key })).body;
    await expect.poll(usage).toMatchObject({ calls: 9, failed: 9 });
    expect(await figures()).toMatchObject({ success_rate: 1, calls_30d: 20 });
    expect(await listFailing(harness.runtime.db)).toEqual([]);
    const { tools } = await listOperatorTools(harness.runtime, '24h');
    expect(tools.find(({ name }) => name === 'math')).toMatchObject({ failed: 0, last_error_at: null });
  });

  it('is not determined by one account, however many calls, keys and teams it has @F14', async () => {
    const { sql } = harness.runtime;
    const many = await harness.person();
    const second = await harness.addKey(many.accountId);
    for (const keyId of [many.keyId, second.keyId])
      await sql`insert into usage_rollups values (${many.accountId}, date_trunc('hour', now()), ${keyId}, 'math', 5000, 5000,
        0, 0, 0, 0)`;
    for (let n = 0; n < 3; n++) {
      const { accountId, keyId } = await harness.person();
      await sql`insert into usage_rollups values (${accountId}, date_trunc('hour', now()), ${keyId}, 'math', 100, 0,
        0, 0, 0, 0)`;
    }
    expect((await figures()).success_rate).toBe(0.75);
  });

  it('ignores unclaimed keys, as does the latency, but their calls are counted @F14', async () => {
    const { sql } = harness.runtime;
    const { key, keyId } = await harness.person();
    await evaluate(key, '1');
    await countAs(keyId, 20, 0);
    const before = await figures();
    expect(before).toMatchObject({ success_rate: 1, calls_30d: 20, p50_ms: expect.any(Number) });
    const unclaimed = await harness.request('POST', '/v1/auth/provision', { ip: '198.51.100.1' });
    for (let n = 0; n < 3; n++)
      expect((await evaluate(unclaimed.body.api_key, '1')).body.status).toBe('success');
    await sql`update usage_rollups u set calls = 300, failed = 297 from api_keys k
      where k.id = u.key_id and k.account_id = ${unclaimed.body.account_id}`;
    await sql`update usage_records set latency_ms = 100000 where account_id = ${unclaimed.body.account_id}`;
    expect(await figures()).toEqual({ ...before, calls_30d: 320 });
    // After the claim, they count as calls of a person.
    const token = new URL(unclaimed.body.claim_url).searchParams.get('token');
    expect((await harness.request('POST', '/v1/auth/claim', { key, json: { token } })).status).toBe(200);
    expect(await figures()).toMatchObject({ calls_30d: 320, success_rate: expect.closeTo(23 / 320, 4) });
  });

  it('is not given of fewer than 20 calls that count, whatever the other calls are', async () => {
    const person = await harness.person();
    await evaluate(person.key, '1');
    await countAs(person.keyId, 19, 0);
    const unclaimed = await harness.request('POST', '/v1/auth/provision', { ip: '198.51.100.2' });
    await evaluate(unclaimed.body.api_key, '1');
    expect(await figures()).toMatchObject({ success_rate: null, calls_30d: 20 });
    // Nor do calls with invalid input count.
    await harness.runtime
      .sql`update usage_rollups set calls = 40, failed = 21, refused = 21 where key_id = ${person.keyId}`;
    expect(await figures()).toMatchObject({ success_rate: null });
    await countAs(person.keyId, 20, 5);
    expect(await figures()).toMatchObject({ success_rate: 0.75 });
  });
});

it('generated usage is excluded from public figures and from the sums of the operator @F14', async () => {
  const { accountId } = await harness.person();
  await seedUsage(harness.runtime, 'operator:test', { accountId, rows: 5_000, days: 20 });
  expect(await figures()).toMatchObject({ success_rate: null, p50_ms: null, calls_30d: 0 });
  for (const period of ['24h', '30d', '90d'] as const) {
    const { totals, top_accounts, top_tools } = await getInsight(harness.runtime, { period, by: 'calls' });
    expect(totals).toMatchObject({ calls: 0, failed: 0, revenue_usd: 0 });
    expect([...top_accounts, ...top_tools]).toEqual([]);
  }
  const { tools } = await listOperatorTools(harness.runtime, '30d');
  expect(
    tools.filter(({ calls, revenue_usd, p50_ms }) => calls > 0 || revenue_usd > 0 || p50_ms !== null),
  ).toEqual([]);
});
