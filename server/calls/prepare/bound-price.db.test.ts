import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createPricedTool } from '@/test/support/priced-tool';
import { runQueuedCall } from '@/test/support/run-queued-call';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';

const FEE = 100n;
/** The price of a number of units. */
const usd = (units: number) => (100 * units) / 1e6;
const TEN_MINUTES_MS = 600_000;

const priced = createPricedTool();
let harness: Harness;
let key: string;
beforeAll(async () => {
  // Without a worker, so that a queued call stays until a test runs it.
  harness = await startHarness({ tools: [priced.tool], env: { JOBS: 'external' } });
});
beforeEach(async () => {
  priced.setFee(FEE);
  ({ key } = await harness.person(1_000_000n));
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

type Extra = { max_cost_usd?: number; quote_id?: string; dry_run?: boolean };
const call = (skill: string, input: object, extra: Extra = {}, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'priced', skill, input, ...extra },
    headers,
  });
const quote = async (skill: string, input: object): Promise<{ id: string; max_usd: number }> =>
  (await call(skill, input, { dry_run: true })).body.quote;
const getBalance = async () =>
  (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd;

describe.each(['fast', 'regular'])('max_cost_usd of a %s call', (skill) => {
  it('refuses a higher quote before anything runs, with the quote and the fields that lower it', async () => {
    const before = priced.runs();
    const { status, body } = await call(skill, { units: 6 }, { max_cost_usd: usd(5) });
    expect(status).toBe(402);
    expect(body.error).toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
      type: 'billing',
      message: 'The call can cost $0.0006, more than max_cost_usd ($0.0005).',
      resolution_hint: expect.stringContaining('input.units'),
      quote: { id: expect.stringMatching(/^quote_/), max_usd: usd(6) },
      cost_fields: ['units'],
      billed: false,
    });
    expect(priced.runs()).toBe(before);
    expect(await getBalance()).toBe(1);
    const raised = { max_cost_usd: body.error.quote.max_usd, quote_id: body.error.quote.id };
    priced.setFee(9n * FEE);
    expect((await call(skill, { units: 6 }, raised)).body.usage.cost).toBe(usd(6));
  });

  it('allows an equal quote, and charges the usage', async () => {
    const { body } = await call(skill, { units: 5, used: 2 }, { max_cost_usd: usd(5) });
    expect(body.usage.cost).toBe(usd(2));
  });
});

it('max_cost_usd is an amount with at most six decimals, and 0 allows only free calls', async () => {
  for (const wrong of [-0.1, 0.0000001, '1'])
    expect(await call('fast', {}, { max_cost_usd: wrong as number })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_INPUT', fields: [{ path: 'max_cost_usd' }] } },
    });
  expect((await call('fast', {}, { max_cost_usd: 0 })).status).toBe(402);
  priced.setFee(0n);
  expect((await call('fast', {}, { max_cost_usd: 0 })).body.usage.cost).toBe(0);
});

describe('a dry run', () => {
  it('returns a quote, and whether the limit allows it', async () => {
    const { body } = await call('regular', { units: 3 }, { dry_run: true, max_cost_usd: usd(2) });
    expect(body).toMatchObject({ valid: false, input_valid: true, within_max_cost: false });
    expect(body.quote).toEqual({
      id: expect.stringMatching(/^quote_/),
      max_usd: usd(3),
      expires_at: expect.any(String),
    });
    const { body: allowed } = await call('regular', {}, { dry_run: true, max_cost_usd: usd(1) });
    expect(allowed).toMatchObject({ valid: true, within_max_cost: true });
    expect((await call('regular', { units: 0 }, { dry_run: true })).body.quote).toBeUndefined();
  });

  it('with a quote has its price, and does not extend it @F20', async () => {
    const first = await quote('regular', {});
    priced.setFee(7n * FEE);
    const { body } = await call('regular', {}, { dry_run: true, quote_id: first.id });
    expect(body).toMatchObject({ estimated_cost_usd: usd(1), quote: first });
  });
});

describe('a call with a quote', () => {
  it.each(['fast', 'regular'])('(%s) is charged at its prices, raised or lowered since', async (skill) => {
    const { id } = await quote(skill, { units: 4, used: 3 });
    for (const fee of [9n * FEE, 1n, 0n]) {
      priced.setFee(fee);
      const { body } = await call(skill, { units: 4, used: 3 }, { quote_id: id });
      expect(body.usage).toMatchObject({ cost: usd(3), markup: usd(3), raw_cost: 0 });
    }
    priced.setFee(9n * FEE);
    expect((await call(skill, { units: 4, used: 3 })).body.usage.cost).toBe(usd(27));
  });

  it('is refused if the quote is higher than max_cost_usd', async () => {
    const taken = await quote('regular', { units: 2 });
    const limited = { quote_id: taken.id, max_cost_usd: usd(1) };
    expect((await call('regular', { units: 2 }, limited)).body.error).toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
      quote: taken,
    });
  });

  it('is refused for other input, another account, and after ten minutes @F20', async () => {
    const { id } = await quote('regular', { units: 2 });
    const refused = { error: { code: 'INVALID_INPUT', fields: [{ path: 'quote_id' }], billed: false } };
    expect((await call('regular', { units: 3 }, { quote_id: id })).body).toMatchObject(refused);
    expect((await call('fast', { units: 2 }, { quote_id: id })).body).toMatchObject(refused);
    const own = key;
    ({ key } = await harness.person(1_000_000n));
    expect((await call('regular', { units: 2 }, { quote_id: id })).body).toMatchObject(refused);
    key = own;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + TEN_MINUTES_MS });
    const late = await call('regular', { units: 2 }, { quote_id: id });
    expect(late.status).toBe(400);
    expect(late.body.error.message).toContain('expired at');
    vi.useRealTimers();
    expect((await call('regular', { units: 2 }, { quote_id: id })).status).toBe(200);
  });

  it('that a worker runs is charged at its prices', async () => {
    const taken = await quote('queued', { units: 4, used: 3 });
    const headers = { prefer: 'wait=0' };
    const { body } = await call('queued', { units: 4, used: 3 }, { quote_id: taken.id }, headers);
    priced.setFee(9n * FEE);
    await runQueuedCall(harness.runtime, body.id);
    const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
    expect(job.body).toMatchObject({ status: 'completed', result: { usage: { cost: usd(3) } } });
    const states = await harness.runtime.sql`select 1 from queued_call_states where call_id = ${body.id}`;
    expect(states).toHaveLength(0);
  });

  it('that was queued after the price rose is charged at its prices', async () => {
    const taken = await quote('queued', { units: 4, used: 3 });
    priced.setFee(9n * FEE);
    const extra = { quote_id: taken.id, max_cost_usd: taken.max_usd };
    const { body } = await call('queued', { units: 4, used: 3 }, extra, { prefer: 'wait=0' });
    await runQueuedCall(harness.runtime, body.id);
    const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
    expect(job.body.result.usage.cost).toBe(usd(3));
  });

  it.each(['fast', 'regular'])(
    '(%s) is replayed under its Idempotency-Key when the quote has expired',
    async (skill) => {
      const { id } = await quote(skill, {});
      priced.setFee(9n * FEE);
      const headers = { 'idempotency-key': newId('request') };
      const first = await call(skill, {}, { quote_id: id, max_cost_usd: usd(1) }, headers);
      expect(first.body.usage.cost).toBe(usd(1));
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + TEN_MINUTES_MS });
      const again = await call(skill, {}, { quote_id: id, max_cost_usd: usd(1) }, headers);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.body).toEqual(first.body);
      for (const other of [{ quote_id: id }, { max_cost_usd: usd(1) }, { quote_id: id, max_cost_usd: 1 }])
        expect((await call(skill, {}, other, headers)).body.error.code).toBe('IDEMPOTENCY_MISMATCH');
    },
  );
});

it.each([
  ['raised', 9n * FEE],
  ['lowered', 1n],
])('a queued call without a quote keeps the price of its admission, %s since @F31', async (_, fee) => {
  const { body } = await call('queued', { units: 4, used: 3 }, {}, { prefer: 'wait=0' });
  priced.setFee(fee);
  await runQueuedCall(harness.runtime, body.id);
  const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
  expect(job.body).toMatchObject({ status: 'completed', result: { usage: { cost: usd(3) } } });
  expect(await getBalance()).toBeCloseTo(1 - usd(3), 9);
});
