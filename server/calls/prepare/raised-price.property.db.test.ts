import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import { importForTest } from '@/test/support/import-fixture';
import { type Petstore, startPetstore } from '@/test/support/petstore';
import { changeTool } from '../../catalog/imports/change-tool';
import type { CredentialRequest } from '../../catalog/imports/plan-import';
import { usdFromMicrousd } from '../../kit/money';
import { reconcile } from '../../money/reconcile/reconcile';

const KEYS = 10;
/** The concurrency slots of a key. */
const CALLS_A_KEY = 5;
const LOW = 1_000n;
const HIGH = 5_000n;
const CREDIT = 10_000_000n;

/** The document cannot be imported without a credential; `list_pets` does not need it. */
const slot: CredentialRequest = {
  slot: 'pets-key',
  carrier: null,
  scheme: null,
  displayName: 'Pets key',
  acquireUrl: 'https://pets.test/keys',
  setupGuide: null,
  value: null,
};
let harness: Harness;
let pets: Petstore;
let keys: string[];
beforeAll(async () => {
  const env = { RATE_PER_MINUTE: '1000' };
  [harness, pets] = await Promise.all([startHarness({ env }), startPetstore()]);
  const source = { kind: 'openapi' as const, url: `${pets.origin}/openapi.json`, server: null };
  await importForTest(harness, { name: 'pets', source, slot });
  keys = await Promise.all(Array.from({ length: KEYS }, async () => (await harness.person(CREDIT)).key));
});
afterAll(async () => {
  await harness?.close();
  await pets?.close();
});

const setPrice = (feeMicrousd: bigint) =>
  changeTool(harness.runtime, 'operator:test', 'pets', { price: { feeMicrousd, providerCostMicrousd: 0n } });
const call = (key: string, extra: object): Promise<Answer> =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'pets', skill: 'list_pets', input: {}, ...extra },
  });
const quote = async (key: string): Promise<string> => (await call(key, { dry_run: true })).body.quote.id;
const sumBalances = async () => {
  const balances = await Promise.all(
    keys.map((key) => harness.request('GET', '/v1/billing/balance', { key })),
  );
  return balances.reduce((sum, { body }) => sum + Math.round(body.available_usd * 1e6), 0);
};

/** What one of the fifty calls sends. */
const limits = fc.array(fc.record({ maxMicrousd: fc.bigInt(LOW - 1n, HIGH + 1n), quoted: fc.boolean() }), {
  minLength: KEYS * CALLS_A_KEY,
  maxLength: KEYS * CALLS_A_KEY,
});

it('of fifty calls at once, while the price is raised, each is refused before it runs or costs at most its limit @F20', async () => {
  await fc.assert(
    fc.asyncProperty(limits, fc.nat(KEYS * CALLS_A_KEY), async (calls, raisedAfter) => {
      await setPrice(LOW);
      const quotes = await Promise.all(keys.map(quote));
      const [before, sentBefore] = [await sumBalances(), pets.requests.length];
      let raised: Promise<unknown> = Promise.resolve();
      const sent = calls.map(async ({ maxMicrousd, quoted }, at) => {
        if (at === raisedAfter) raised = setPrice(HIGH);
        const extra = quoted ? { quote_id: quotes[at % KEYS] } : {};
        return await call(keys[at % KEYS] as string, {
          max_cost_usd: usdFromMicrousd(maxMicrousd),
          ...extra,
        });
      });
      const answers = await Promise.all(sent);
      await raised;
      let charged = 0;
      for (const [at, { status, body }] of answers.entries()) {
        const { maxMicrousd, quoted } = calls[at] as (typeof calls)[number];
        const limit = Number(maxMicrousd);
        if (status === 200) {
          const cost = Math.round(body.usage.cost * 1e6);
          charged += cost;
          expect(cost).toBeLessThanOrEqual(limit);
          expect(quoted ? [Number(LOW)] : [Number(LOW), Number(HIGH)]).toContain(cost);
        } else {
          expect(body.error).toMatchObject({ code: 'COST_LIMIT_EXCEEDED', billed: false });
          expect(Math.round(body.error.quote.max_usd * 1e6)).toBeGreaterThan(limit);
          if (quoted) expect(limit).toBeLessThan(Number(LOW));
        }
      }
      expect(await sumBalances()).toBe(before - charged);
      expect(pets.requests.length - sentBefore).toBe(answers.filter(({ status }) => status === 200).length);
      expect((await reconcile(harness.runtime)).differences).toEqual([]);
    }),
    { numRuns: 2 },
  );
});
