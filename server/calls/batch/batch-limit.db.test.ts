import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createPricedTool } from '@/test/support/priced-tool';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';
import type { CallResult } from '../result/schema';

const FEE = 100n;
/** The price of a number of units. */
const usd = (units: number) => (100 * units) / 1e6;

const priced = createPricedTool();
let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ tools: [priced.tool] });
});
beforeEach(async () => {
  priced.setFee(FEE);
  ({ key } = await harness.person(1_000_000n));
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

const element = (units: number, extra: object = {}) => ({
  tool: 'priced',
  skill: 'regular',
  input: { units },
  ...extra,
});
const batch = (calls: object[], extra: object = {}, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/batch', { key, json: { calls, ...extra }, headers });
const codes = (results: CallResult[]) => results.map(({ status, error }) => error?.code ?? status);
const costs = (results: CallResult[]) => results.map(({ usage }) => usage?.cost);

it('a batch is refused as a whole if the quotes of its valid calls exceed its limit', async () => {
  const before = priced.runs();
  const calls = [element(2), element(3), element(0), element(4, { max_cost_usd: usd(1) })];
  const { status, body } = await batch(calls, { max_cost_usd: usd(4) });
  expect(status).toBe(402);
  expect(body.error).toMatchObject({
    code: 'COST_LIMIT_EXCEEDED',
    quote: { max_usd: usd(5) },
    billed: false,
  });
  expect(priced.runs()).toBe(before);
  const allowed = await batch(calls, { max_cost_usd: usd(5) });
  expect(codes(allowed.body.results)).toEqual(['success', 'success', 'INVALID_INPUT', 'COST_LIMIT_EXCEEDED']);
});

it('the limit and the quote of an element apply to that element', async () => {
  const dry = { ...element(2), dry_run: true };
  const { body } = await harness.request('POST', '/v1/tools/call', { key, json: dry });
  priced.setFee(3n * FEE);
  const calls = [element(2, { quote_id: body.quote.id }), element(2, { max_cost_usd: usd(2) }), element(1)];
  const { results } = (await batch(calls, { max_cost_usd: usd(5) })).body;
  expect(codes(results)).toEqual(['success', 'COST_LIMIT_EXCEEDED', 'success']);
  expect(costs(results)).toEqual([usd(2), undefined, usd(3)]);
  expect(results[1].error).toMatchObject({ quote: { max_usd: usd(6) }, cost_fields: ['units'] });
});

it('a refused batch may be sent again under its Idempotency-Key, and a run one is replayed', async () => {
  const headers = { 'idempotency-key': newId('request') };
  const limit = { max_cost_usd: usd(4) };
  const calls = [element(2), element(2)];
  priced.setFee(2n * FEE);
  expect((await batch(calls, limit, headers)).body.error.code).toBe('COST_LIMIT_EXCEEDED');
  priced.setFee(FEE);
  const first = await batch(calls, limit, headers);
  expect(costs(first.body.results)).toEqual([usd(2), usd(2)]);
  priced.setFee(9n * FEE);
  expect((await batch(calls, limit, headers)).body).toEqual(first.body);
});

it('calls that were charged before a crash count towards the limit at what they cost', async () => {
  const idempotency = newId('request');
  const headers = { 'idempotency-key': idempotency };
  const limit = { max_cost_usd: usd(5) };
  const calls = [element(4), element(1)];
  expect((await batch(calls, limit, headers)).status).toBe(200);
  // As after a crash in the middle: the batch and its second element have no response.
  await harness.runtime.sql`
    delete from idempotency_keys where key = ${idempotency} and part in (0, 2)`;
  const before = priced.runs();
  // At the price of now both would cost 2.5 times as much, but the first call is paid.
  priced.setFee(2n * FEE);
  expect((await batch(calls, limit, headers)).body.error).toMatchObject({
    code: 'COST_LIMIT_EXCEEDED',
    quote: { max_usd: usd(6) },
  });
  priced.setFee(FEE);
  expect(costs((await batch(calls, limit, headers)).body.results)).toEqual([usd(4), usd(1)]);
  expect(priced.runs()).toBe(before + 1);
});
