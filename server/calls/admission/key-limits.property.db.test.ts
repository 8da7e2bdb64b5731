import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { commitCalls } from '../run-first/commit-store';
import { endCalls } from '../settlement/store';
import { admitCalls } from './store';

const QUOTAS = { perWindow: [1_000, 1_000], concurrent: 1_000 };
const PER_MINUTE = 25;
const LIMIT = 1_000n;
const FENCE = 'both processes';
const OPTIONS = { fence: FENCE, leaseSeconds: 90, quotas: QUOTAS };

let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ role: 'command' });
  two = await startHarness({ role: 'command', peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

/** A call by one of the two processes: what it holds, what it costs, and whether it runs first. */
const plan = fc.record({
  where: fc.nat({ max: 1 }),
  hold: fc.bigInt({ min: 0n, max: 300n }),
  share: fc.integer({ min: 0, max: 100 }),
  isFast: fc.boolean(),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

interface Outcome {
  admitted: boolean;
  spent: bigint;
}

async function run(accountId: string, keyId: string, { where, hold, share, isFast }: Plan) {
  const { sql } = (where === 0 ? one : two).runtime;
  const id = newId('call');
  const cost = (hold * BigInt(share)) / 100n;
  const call = { id, keyId, accountId, tool: 'probe', skill: 'ok', hold, rulesVersion: 1 };
  const end = { markup: cost, raw: 0n, errorCode: null, latencyMs: 1 };
  const refused: Outcome = { admitted: false, spent: 0n };
  const settled: Outcome = { admitted: true, spent: cost };
  if (isFast) {
    const [done] = await commitCalls(sql, [{ ...call, ...end, startedMs: Date.now(), record: null }], QUOTAS);
    return done ? settled : refused;
  }
  const request = { ...call, billing: 'personal', durable: false };
  const [opened] = await admitCalls(sql, [request], OPTIONS);
  if (opened?.outcome !== 'opened') {
    expect(['spend', 'minute']).toContain(opened?.outcome);
    return refused;
  }
  const [ended] = await endCalls(
    sql,
    [{ id, keyId, success: true, byok: false, response: null, ...end }],
    FENCE,
  );
  expect(ended?.state).toBe('closed');
  return settled;
}

async function createKey() {
  const { accountId } = await one.person(1_000_000n);
  const { keyId } = await one.addKey(accountId);
  await one.runtime
    .sql`update api_keys set rules_version = 1, spend_limit_microusd = ${String(LIMIT)}::bigint,
    spend_ceiling_microusd = ${String(LIMIT)}::bigint, spend_period = 'day', spend_since = clock_timestamp(),
    rate_limits = array[${PER_MINUTE}, 1000]::int[] where id = ${keyId}`;
  return { accountId, keyId };
}

async function readKey(keyId: string) {
  const [row] = await one.runtime.sql`select spend_microusd as spend, credits_used_microusd as used,
      credits_held_microusd as held, running, coalesce(window_used[1], 0) as minute
    from api_keys where id = ${keyId}`;
  return row as { spend: bigint; used: bigint; held: bigint; running: number; minute: number };
}

describe('concurrent calls of one key in two processes', () => {
  it('never cost more than its spending limit, and use exactly its lower rate @F8', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 5, maxLength: 40 }), async (plans) => {
        const { accountId, keyId } = await createKey();
        const outcomes: Outcome[] = [];
        for (let at = 0; at < plans.length; at += 20)
          outcomes.push(
            ...(await Promise.all(plans.slice(at, at + 20).map((each) => run(accountId, keyId, each)))),
          );
        const spent = outcomes.reduce((sum, outcome) => sum + outcome.spent, 0n);
        const admitted = outcomes.filter((outcome) => outcome.admitted).length;
        const key = await readKey(keyId);
        expect(key).toEqual({ spend: spent, used: spent, held: 0n, running: 0, minute: admitted });
        expect(spent <= LIMIT).toBe(true);
        expect(admitted).toBeLessThanOrEqual(PER_MINUTE);
        if (admitted === PER_MINUTE) return;
        // Exact: the rest of the limit is admitted, and nothing beyond.
        const rest = { where: 1, share: 100, isFast: false };
        expect((await run(accountId, keyId, { ...rest, hold: LIMIT - spent + 1n })).admitted).toBe(false);
        expect((await run(accountId, keyId, { ...rest, hold: LIMIT - spent })).admitted).toBe(true);
      }),
      { numRuns: 6 },
    );
  });

  it('checked against older rules are refused by every statement that admits', async () => {
    const { accountId, keyId } = await createKey();
    const { sql } = one.runtime;
    const call = { keyId, accountId, tool: 'probe', skill: 'ok', hold: 1n, rulesVersion: 0 };
    const request = { ...call, id: newId('call'), billing: 'personal', durable: false };
    const [opened] = await admitCalls(sql, [request], OPTIONS);
    expect(opened?.outcome).toBe('changed');
    const end = { markup: 1n, raw: 0n, errorCode: null, latencyMs: 1, startedMs: Date.now(), record: null };
    const fast = [1, 0].map((rulesVersion) => ({ ...call, ...end, id: newId('call'), rulesVersion }));
    // One of the two calls of the key is current, but they are decided together.
    expect(await commitCalls(sql, fast, QUOTAS)).toEqual([null, null]);
    expect((await readKey(keyId)).minute).toBe(0);
  });

  it('never start a window with more than its rate, in groups of any size @E21', async () => {
    const group = fc.record({
      calls: fc.integer({ min: 1, max: 40 }),
      isFast: fc.boolean(),
      /** Whether the minute and the hour have ended since the last group. */
      ends: fc.constantFrom('none' as const, 'minute' as const, 'both' as const),
    });
    const limits = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 60 }));
    await fc.assert(
      fc.asyncProperty(limits, fc.array(group, { minLength: 1, maxLength: 6 }), async (rates, groups) => {
        const { accountId } = await one.person(1_000_000n);
        const { keyId } = await one.addKey(accountId);
        const { sql } = one.runtime;
        await sql`update api_keys set rate_limits = ${rates}::int[] where id = ${keyId}`;
        const used = [0, 0];
        for (const { calls, isFast, ends } of groups) {
          const ended = { none: 0, minute: 1, both: 2 }[ends];
          used.fill(0, 0, ended);
          await sql`update api_keys set window_started_at = array[
            window_started_at[1] - ${ended > 0 ? 61 : 0} * interval '1 second',
            window_started_at[2] - ${ended > 1 ? 3_601 : 0} * interval '1 second']
            where id = ${keyId} and window_started_at is not null`;
          const room = Math.min(...rates.map((rate, at) => rate - (used[at] ?? 0)));
          const make = () =>
            Array.from({ length: calls }, () => ({
              ...{
                id: newId('call'),
                keyId,
                accountId,
                tool: 'probe',
                skill: 'ok',
                hold: 0n,
                rulesVersion: 0,
              },
              ...{ markup: 0n, raw: 0n, errorCode: null, latencyMs: 1, startedMs: Date.now(), record: null },
              ...{ billing: 'personal', durable: false },
            }));
          const admitted = isFast
            ? (await commitCalls(sql, make(), QUOTAS)).filter((result) => result !== null).length
            : (await admitCalls(sql, make(), OPTIONS)).filter(({ outcome }) => outcome === 'opened').length;
          // The fast path admits a group of one key completely or not at all.
          expect(admitted).toBe(isFast && calls > room ? 0 : Math.min(calls, room));
          for (const at of used.keys()) used[at] = (used[at] ?? 0) + admitted;
        }
      }),
      { numRuns: 12 },
    );
  });
});
