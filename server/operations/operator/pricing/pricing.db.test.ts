import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Harness } from '@/test/support/harness';
import { callProcedure } from '@/test/support/operator-fixture';
import { computeCost } from '../../../calls/prepare/price-call';
import { reconcile } from '../../../money/reconcile/reconcile';
import { defineSkill, defineTool, free, type Price, perCall, perUnit } from '../../../tools/sdk/define-tool';
import { providerPrice } from '../../../tools/sdk/provider-prices';
import { type OperatorPair, startOperatorPair } from '../testing/operator-pair';

const input = z.object({ units: z.int().min(1).default(1), used: z.int().optional() });
type Input = z.infer<typeof input>;

function skill(name: string, price: Price<Input, { units: number }>, provider = false) {
  return defineSkill<Input, { done: boolean }, { units: number }>({
    name,
    displayName: name,
    description: 'For tests',
    input,
    output: z.object({ done: z.boolean() }),
    returns: 'that it is done',
    examples: [],
    price,
    ...(provider && { requirements: ['openai'] as const }),
    annotations: { readOnly: name === 'fast', idempotent: true, destructive: false, estimatedSeconds: 1 },
    run: async ({ input: { units, used } }) => ({ output: { done: true }, usage: { units: used ?? units } }),
  });
}

/** The provider charges a cent a unit. */
const metered = providerPrice<Input, { units: number }, { unit: bigint }>({
  unit: 'unit',
  typicalMicrousd: 10_000n,
  costFields: ['units'],
  rates: { unit: 10_000n },
  most: ({ units }, { unit }) => unit * BigInt(units),
  cost: ({ units }, { unit }) => unit * BigInt(units),
});
// A price that cannot be changed: exact types allow no undefined here.
const chosen: Price<Input, { units: number }> = { ...perCall(5n), reprice: undefined } as never;

const tool = defineTool({
  name: 'shop',
  displayName: 'Shop',
  subtitle: 'For tests',
  description: 'For tests',
  categories: ['test'],
  version: '1.0.0',
  skills: [
    skill('fast', perCall(100n)),
    skill(
      'paged',
      perUnit<Input>('page', 200n, ({ units }) => units, ['units']),
    ),
    skill('gift', free),
    skill('asked', metered, true),
    skill('chosen', chosen),
  ],
});

/** Slow enough for the calls of a key in a minute. */
const POLL = { timeout: 15_000, interval: 400 };

let pair: OperatorPair;
let harness: Harness;
let other: Harness;
beforeAll(async () => {
  pair = await startOperatorPair([tool]);
  ({ harness, other } = pair);
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await pair.close();
});

const call = (where: Harness, key: string, name: string, body: object = {}, headers = {}) =>
  where.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'shop', skill: name, input: {}, ...body },
    headers,
  });
const cost = async (where: Harness, key: string, name: string, body: object = {}) =>
  (await call(where, key, name, body)).body.usage?.cost;
const set = (skillName: string | null, change: object) =>
  callProcedure(pair.boss, 'operator.pricing.set', {
    tool: 'shop',
    skill: skillName,
    reason: 'a test',
    ...change,
  });
const catalogPrice = async (where: Harness, name: string) => {
  const { body } = await where.request('GET', '/v1/tools/shop');
  return body.skills.find((each: { name: string }) => each.name === name).pricing;
};

describe('a price that an operator sets', () => {
  it('is in the catalogue, dry run, call, batch and usage of every process at once @F31', async () => {
    const { key } = await harness.person(1_000_000n);
    expect(await cost(harness, key, 'fast')).toBe(0.0001);
    await set('fast', { platform_fee_usd: 0.0025 });
    await expect.poll(() => cost(other, key, 'fast'), POLL).toBe(0.0025);
    for (const where of [harness, other]) {
      expect(await catalogPrice(where, 'fast')).toMatchObject({ price_usd: 0.0025, free: false });
      expect((await call(where, key, 'fast', { dry_run: true })).body).toMatchObject({
        estimated_cost_usd: 0.0025,
        quote: { max_usd: 0.0025 },
      });
      const batch = await where.request('POST', '/v1/tools/batch', {
        key,
        json: { calls: [{ tool: 'shop', skill: 'fast', input: {} }] },
      });
      expect(batch.body.results[0].usage.cost).toBe(0.0025);
    }
    const [last] = await harness.runtime.sql`
      select markup_microusd as fee from usage_records where tool = 'shop' order by id desc limit 1`;
    expect(last).toEqual({ fee: 2_500n });
    await set('fast', { platform_fee_usd: null });
    expect(await cost(harness, key, 'fast')).toBe(0.0001);
  });

  it('is per unit for a metered skill, whose actual use is charged', async () => {
    const { key } = await harness.person(1_000_000n);
    await set('paged', { platform_fee_usd: 0.001 });
    expect(await cost(harness, key, 'paged', { input: { units: 5, used: 3 } })).toBe(0.003);
  });

  it('does not change calls already quoted, whether it rises or falls, or is reset @F31', async () => {
    const { key } = await harness.person(1_000_000n);
    const { quote } = (await call(harness, key, 'paged', { dry_run: true, input: { units: 2 } })).body;
    expect(quote.max_usd).toBe(0.002);
    await set('paged', { platform_fee_usd: 0.5 });
    const quoted = { input: { units: 2 }, quote_id: quote.id };
    expect(await cost(harness, key, 'paged', quoted)).toBe(0.002);
    expect((await call(harness, key, 'paged', { input: { units: 3 } })).status).toBe(402);
    await set('paged', { platform_fee_usd: null });
    expect(await cost(harness, key, 'paged', quoted)).toBe(0.002);
    expect(await cost(harness, key, 'paged', { input: { units: 2 } })).toBe(0.0004);
  });

  it('makes a free skill paid: unclaimed keys are refused, and free again after the reset @F31', async () => {
    const { api_key: key } = (await harness.request('POST', '/v1/auth/provision')).body;
    expect((await call(harness, key, 'gift')).status).toBe(200);
    const { quote } = (await call(harness, key, 'gift', { dry_run: true })).body;
    await set('gift', { platform_fee_usd: 0.01 });
    expect((await call(harness, key, 'gift')).body.error.code).toBe('CLAIM_REQUIRED');
    expect((await call(harness, key, 'gift', { quote_id: quote.id })).body.error.code).toBe('CLAIM_REQUIRED');
    const { key: paying } = await harness.person(20_000n);
    expect(await cost(harness, paying, 'gift')).toBe(0.01);
    await set('gift', { platform_fee_usd: null });
    expect(await catalogPrice(harness, 'gift')).toMatchObject({ free: true, price_usd: 0 });
    expect((await call(harness, key, 'gift')).status).toBe(200);
    // A paid skill that becomes free needs no claim either.
    await set('fast', { platform_fee_usd: 0 });
    expect((await call(harness, key, 'fast')).status).toBe(200);
    await set('fast', { platform_fee_usd: null });
  });

  it('takes effect when it is scheduled, and a later change replaces it', async () => {
    const { key } = await harness.person(1_000_000n);
    await set('fast', {
      platform_fee_usd: 0.7,
      effective_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(await cost(harness, key, 'fast')).toBe(0.0001);
    await set('fast', { platform_fee_usd: 0.3, effective_at: new Date(Date.now() + 1_500).toISOString() });
    await expect.poll(() => cost(harness, key, 'fast'), POLL).toBe(0.3);
    const { changes } = await pair.boss.operator.pricing.get({ tool: 'shop' });
    expect(changes.slice(0, 2)).toMatchObject([
      { fee_usd: 0.3, state: 'current', by: 'operator:boss@example.test', reason: 'a test' },
      { fee_usd: 0.7, state: 'replaced' },
    ]);
    await set('fast', { platform_fee_usd: null });
  });
});

it('a price in effect is shown after any number of changes of other skills', async () => {
  await set('gift', { platform_fee_usd: 0.01 });
  await harness.runtime.sql`
    insert into tool_prices (tool, skill, reason, created_by, effective_at)
    select 'shop', 'fast', 'a test', 'test', now() from generate_series(1, 250)`;
  const { skills, changes } = await pair.boss.operator.pricing.get({ tool: 'shop' });
  expect(skills.find(({ name }) => name === 'gift')?.fee_usd).toBe(0.01);
  expect(changes.filter(({ state }) => state === 'current')).toHaveLength(1);
  await set('gift', { platform_fee_usd: null });
});

describe('a markup on the cost of the provider', () => {
  it('adds a share to the platform fee, of which a BYOK call pays 5 %, and keeps quotes', async () => {
    const { key } = await harness.person(1_000_000n);
    const own = { 'x-provider-key-openai': 'sk-test-secret-0123456789abcdef' };
    const dry = async () => (await call(harness, key, 'asked', { dry_run: true }, own)).body;
    // The fee of every provider's tool is 0.0005; 5 % of 0.0105.
    const { quote, estimated_cost_usd: before } = await dry();
    expect(before).toBe(0.000525);
    await set(null, { markup_percent: 20 });
    expect((await dry()).estimated_cost_usd).toBe(0.000625);
    expect(
      (await call(harness, key, 'asked', { dry_run: true, quote_id: quote.id }, own)).body,
    ).toMatchObject({
      estimated_cost_usd: 0.000525,
    });
    expect(await catalogPrice(harness, 'asked')).toMatchObject({
      price_usd: 0.0125,
      platform_fee_usd: 0.0025,
    });
    expect(await catalogPrice(harness, 'paged')).toMatchObject({ platform_fee_usd: 0.0002 });
    const repriced = harness.runtime.tools.findTool('shop')?.skills[3];
    if (!repriced) throw new Error('No skill');
    const prices = { quote: { markup: 10n ** 9n, raw: 10n ** 9n }, byokRatePpm: 50_000n };
    expect(computeCost(repriced, { units: 3 }, { units: 2 }, 'none', prices)).toEqual({
      markup: 4_500n,
      raw: 20_000n,
    });
    expect(computeCost(repriced, { units: 3 }, { units: 2 }, 'used', prices)).toEqual({
      markup: 1_225n,
      raw: 0n,
    });
    await set(null, { markup_percent: null });
    expect((await dry()).estimated_cost_usd).toBe(0.000525);
  });
});

describe('a change is refused', () => {
  it.each([
    ['a negative fee', 'fast', { platform_fee_usd: -1 }, 'platform_fee_usd'],
    ['a fee over the maximum', 'fast', { platform_fee_usd: 1_000.01 }, 'platform_fee_usd'],
    ['a fraction of a micro-dollar', 'fast', { platform_fee_usd: 0.0000001 }, 'platform_fee_usd'],
    ['no amount', 'fast', {}, 'platform_fee_usd'],
    ['an unknown skill', 'nothing', { platform_fee_usd: 1 }, 'skill'],
    ['a price that the caller chooses', 'chosen', { platform_fee_usd: 1 }, 'skill'],
    ['a markup over the maximum', null, { markup_percent: 1_000.5 }, 'markup_percent'],
    [
      'a time in the past',
      'fast',
      { platform_fee_usd: 1, effective_at: '2020-01-01T00:00:00Z' },
      'effective_at',
    ],
  ])('for %s', async (_, name, change, field) => {
    await expect(set(name, change)).rejects.toThrow(`${field}: `);
  });

  it('by the database, to edit or delete the history, or to exceed the bounds @F31', async () => {
    const { sql } = harness.runtime;
    await expect(sql`update tool_prices set fee_microusd = 1`).rejects.toThrow('append-only');
    await expect(sql`delete from tool_prices`).rejects.toThrow('append-only');
    await expect(sql`
      insert into tool_prices (tool, skill, fee_microusd, reason, created_by, effective_at)
      values ('shop', 'fast', -1, '', '', now())`).rejects.toThrow('tool_prices_fee_bounded');
  });
});
