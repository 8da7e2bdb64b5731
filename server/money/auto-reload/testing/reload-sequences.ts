import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  type ReloadPerson,
  spend,
} from '@/test/support/reload-fixture';
import type { ScriptedOutcome } from '@/test/support/scripted-payments';
import { reconcilePayment } from '../../payments/reconcile-payment';
import { reconcile } from '../../reconcile/reconcile';
import { MAX_DECLINES } from '../reload';
import { resetReload } from '../reset-reload';

let fixture: ReloadFixture;
/** Starts the reload fixture for the tests of a file. */
export function setUpReloads(): void {
  beforeAll(async () => {
    fixture = await ReloadFixture.start();
  });
  afterAll(() => fixture.close());
}

const CREDIT = 6_000_000n;
const AMOUNT = 2_000_000n;
const BOUNDS = { credits: AMOUNT, dailyLimit: 500_000_000n };
const STEPS = { minLength: 10, maxLength: 30, size: 'max' } as const;

const ends = fc.constantFrom('paid' as const, 'pending' as const, { declined: 'insufficient_funds' });
const fate: fc.Arbitrary<ScriptedOutcome> = fc.oneof(
  { weight: 3, arbitrary: ends },
  ends.map((lost) => ({ lost })),
  ends.map((dies) => ({ dies })),
  fc.constantFrom<ScriptedOutcome>('dies before', 'unreachable', 'refused'),
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('spend' as const), cents: fc.integer({ min: 1, max: 100 }) }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('run' as const), fate, both: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('time passes' as const) }) },
  fc.record({ act: fc.constantFrom('enable' as const, 'disable' as const, 'a day passes' as const) }),
  fc.record({
    act: fc.constant('finish' as const),
    end: fc.constantFrom('paid' as const, 'failed' as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One round, or two at once; a process that dies in it is not awaited. */
async function run(both: boolean): Promise<void> {
  const died = fixture.payments.waitForDeath();
  const processes = both ? [fixture.harness, fixture.other] : [fixture.harness];
  await Promise.all(processes.map((process) => Promise.race([fixture.run(process), died])));
}

/** @returns what was spent, in micro-dollars */
async function act(person: ReloadPerson, at: Step): Promise<bigint> {
  switch (at.act) {
    case 'spend': {
      const amount = BigInt(at.cents) * 10_000n;
      return (await spend(fixture.harness, person.key, amount)).status === 200 ? amount : 0n;
    }
    case 'run':
      fixture.payments.outcomes.push(at.fate);
      await run(at.both);
      fixture.payments.outcomes.length = 0;
      return 0n;
    case 'time passes':
      await fixture.passTime();
      return 0n;
    case 'a day passes':
      fixture.payments.forgetKeys();
      await fixture.age(person, '30 hours');
      await fixture.passTime();
      return 0n;
    case 'finish':
      await finish(at.end);
      return 0n;
    case 'enable':
      await fixture.harness.runtime.db.transaction((tx) => resetReload(tx, person.accountId, BOUNDS));
      await fixture.set(person, 'auto_reload_enabled = true');
      return 0n;
    case 'disable':
      await fixture.set(person, 'auto_reload_enabled = false, reload_wanted_at = null');
      return 0n;
    default:
      throw new Error(`Unknown step ${at satisfies never}`);
  }
}

/**
 * Completes pending payments. The provider sends their events, which is all that a failed order
 * receives.
 */
async function finish(end: 'paid' | 'failed'): Promise<void> {
  for (const payment of fixture.payments.facts.values()) {
    if (payment.status !== 'pending') continue;
    payment.status = end;
    await reconcilePayment(fixture.harness.runtime, fixture.payments, payment.id);
  }
}

/** Restores every process and the provider, and completes what is open. */
async function recover(): Promise<void> {
  await finish('paid');
  for (let i = 0; i < 3; i++) {
    await fixture.passTime();
    await run(true);
  }
}

/** Prevents charges of this run's person in the next run. */
async function expireOpenOrders({ accountId }: ReloadPerson): Promise<void> {
  await fixture.harness.runtime.sql`
    update orders set status = 'expired', finished_at = now() where account_id = ${accountId} and status = 'open'`;
  await fixture.harness.runtime.sql`
    update accounts set auto_reload_enabled = false, reload_wanted_at = null where id = ${accountId}`;
}

/**
 * Checks that charges equal credits and that at most one reload is open, whatever is lost, declined
 * or switched off.
 */
export async function checkReloads(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, STEPS), async (steps) => {
      const person = await fixture.createLowPerson({ credit: CREDIT, amount: AMOUNT });
      let spent = CREDIT - BALANCE_BELOW_THRESHOLD;
      try {
        for (const at of steps) {
          spent += await act(person, at);
          const { enabled, stopped, failures, orders, mails } = await fixture.state(person);
          expect(orders.filter(({ status }) => status === 'open').length).toBeLessThanOrEqual(1);
          // One email per decline; a failed order that was paid after all no longer counts as a
          // decline.
          expect(mails.length).toBeGreaterThanOrEqual(
            orders.filter(({ status }) => status === 'failed').length,
          );
          if (failures >= MAX_DECLINES)
            expect({ enabled, stopped }).toEqual({ enabled: false, stopped: true });
        }
        await recover();
        const { balance, orders } = await fixture.state(person);
        const paid = fixture.payments.paid.filter(({ customerId }) => customerId === person.customerId);
        expect(orders.filter(({ status }) => status === 'open')).toEqual([]);
        expect(orders.filter(({ status }) => status === 'paid')).toHaveLength(paid.length);
        expect(balance).toBe(CREDIT - spent + BigInt(paid.length) * AMOUNT);
      } finally {
        await expireOpenOrders(person);
      }
    }),
    { numRuns },
  );
  expect((await reconcile(fixture.harness.runtime)).differences).toEqual([]);
}
