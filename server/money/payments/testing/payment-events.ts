import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import type { PaymentEvent } from '../../../platform/ports/ports';
import { reconcile } from '../../reconcile/reconcile';
import { receiveEvent } from '../receive-event';

export const payments = new FakePayments();
let harness: Harness;

export const newPerson = () => harness.person();

/** Starts a gateway with in-memory payments for the tests of a file. */
export function setUpPayments(): void {
  beforeAll(async () => {
    harness = await startHarness({ role: 'web', ports: { payments } });
  });
  afterAll(() => harness.close());
}

/** Successive changes of the objects, each with an event. */
type Change =
  | { what: 'pay' }
  | { what: 'pay_later' }
  | { what: 'bank_paid' }
  | { what: 'bank_failed' }
  | { what: 'refund_all' }
  | { what: 'refund_fails' }
  | { what: 'refund'; share: number }
  | { what: 'dispute'; share: number }
  | { what: 'dispute_won' }
  | { what: 'dispute_lost' };

const share = fc.double({ min: 0.001, max: 1, noNaN: true });
const changes = fc
  .tuple(
    fc.constantFrom<Change[]>(
      [{ what: 'pay' }],
      [{ what: 'pay_later' }, { what: 'bank_paid' }],
      [{ what: 'pay_later' }, { what: 'bank_failed' }],
      [{ what: 'pay_later' }],
    ),
    fc.array(
      fc.oneof<fc.Arbitrary<Change>[]>(
        fc.record({ what: fc.constant('refund' as const), share }),
        fc.record({ what: fc.constant('dispute' as const), share }),
        fc.constantFrom<Change>(
          { what: 'refund_all' },
          { what: 'refund_fails' },
          { what: 'dispute_won' },
          { what: 'dispute_lost' },
        ),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([paying, later]) => [...paying, ...later]);

const EVENT_TYPES: Record<Change['what'], string> = {
  pay: 'checkout.session.completed',
  pay_later: 'checkout.session.completed',
  bank_paid: 'checkout.session.async_payment_succeeded',
  bank_failed: 'checkout.session.async_payment_failed',
  refund: 'charge.refunded',
  refund_all: 'charge.refunded',
  refund_fails: 'refund.failed',
  dispute: 'charge.dispute.created',
  dispute_won: 'charge.dispute.closed',
  dispute_lost: 'charge.dispute.closed',
};

/** Changes the objects as the provider would; false if the change is impossible now. */
function apply(sessionId: string, change: Change): boolean {
  if (change.what === 'pay' || change.what === 'pay_later') {
    payments.complete(sessionId, change.what === 'pay' ? 'paid' : 'pending');
    return true;
  }
  const facts = payments.objects(payments.sessions.get(sessionId)?.paymentId ?? '');
  if (change.what === 'bank_paid' || change.what === 'bank_failed') {
    facts.status = change.what === 'bank_paid' ? 'paid' : 'failed';
    return true;
  }
  if (facts.status !== 'paid') return false;
  const left = facts.totalCents - facts.refundedCents;
  const open = facts.disputes.find(({ state }) => state === 'open');
  switch (change.what) {
    case 'refund':
      facts.refundedCents += Math.ceil(change.share * left);
      return left > 0;
    case 'refund_all':
      facts.refundedCents += left;
      return left > 0;
    case 'refund_fails':
      if (facts.refundedCents === 0) return false;
      facts.refundedCents = 0;
      return true;
    case 'dispute': {
      if (facts.disputes.some(({ state }) => state !== 'won')) return false;
      const cents = Math.ceil(change.share * facts.totalCents);
      facts.disputes.push({ id: `dp_${facts.disputes.length}`, cents, state: 'open' });
      return true;
    }
    case 'dispute_won':
    case 'dispute_lost':
      if (!open) return false;
      open.state = change.what === 'dispute_won' ? 'won' : 'lost';
      return true;
    default:
      return change satisfies never;
  }
}

/** The credit that the objects imply, computed independently of the product. */
function impliedCredit(sessionId: string, credits: bigint): { credit: bigint; open: boolean } {
  const facts = payments.facts.get(payments.sessions.get(sessionId)?.paymentId ?? '');
  if (facts?.status !== 'paid') return { credit: 0n, open: false };
  const total = facts.totalCents;
  const gone = (cents: number) => Math.round((Number(credits) * cents) / total);
  const disputed = facts.disputes
    .filter(({ state }) => state !== 'won')
    .reduce((sum, { cents }) => sum + cents, 0);
  const disputedLeft = Math.min(disputed, total - facts.refundedCents);
  const rest =
    facts.refundedCents + disputedLeft === total
      ? 0
      : Math.max(0, Number(credits) - gone(facts.refundedCents) - gone(disputedLeft));
  return { credit: BigInt(rest), open: facts.disputes.some(({ state }) => state === 'open') };
}

export function toEvent(sessionId: string, change: Change, at: number): PaymentEvent {
  const ofSession = EVENT_TYPES[change.what].startsWith('checkout');
  return {
    id: `evt_${sessionId}_${at}`,
    type: EVENT_TYPES[change.what],
    live: false,
    createdAt: new Date(),
    paymentId: payments.sessions.get(sessionId)?.paymentId ?? null,
    sessionId: ofSession ? sessionId : null,
    customerId: null,
  };
}

export const deliver = (event: PaymentEvent) =>
  receiveEvent(harness.runtime, payments, { rawBody: JSON.stringify(event), signature: 'signed' });

export async function buy(key: string, amountUsd: number): Promise<string> {
  const { status, body } = await harness.request('POST', '/v1/billing/checkout', {
    key,
    json: { amount_usd: amountUsd },
  });
  expect(status).toBe(200);
  return `cs_${body.order_id}`;
}

export async function readState(accountId: string) {
  const [row] = await harness.runtime.sql<
    { balance: bigint; held: bigint; debt: bigint; disputed: boolean; entries: bigint }[]
  >`select balance_microusd as balance, held_microusd as held, debt_microusd as debt, disputed_at is not null as disputed,
      coalesce((select sum(amount_microusd) from ledger_entries where account_id = a.id), 0)::bigint as entries
    from accounts a where id = ${accountId}`;
  if (!row) throw new Error('no account');
  return row;
}

/**
 * Checks that a payment's events, in any order and with any repetition, end in the balance that its
 * objects imply.
 */
export async function checkEvents(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 1_000_000 }),
      changes,
      fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.integer({ min: 0, max: 3 }),
      async (cents, wanted, order, repeats, spends) => {
        const person = await harness.person();
        const sessionId = await buy(person.key, cents / 100);
        const events: PaymentEvent[] = [];
        let spent = 0n;
        for (const [at, change] of wanted.entries()) {
          if (!apply(sessionId, change)) continue;
          events.push(toEvent(sessionId, change, at));
          // Some are delivered before later changes happen.
          if (order.some((pick) => pick % 5 === at % 5)) await deliver(events.at(-1) as PaymentEvent);
          if (at < spends) spent += await spend(person.key);
        }
        // Then all of them, shuffled and some repeated, three at a time.
        const picks = [...order, ...repeats].map((pick) => events[pick % Math.max(1, events.length)]);
        const again = [...shuffle(events, order), ...picks].filter((event) => event !== undefined);
        for (let at = 0; at < again.length; at += 3)
          await Promise.all(
            again.slice(at, at + 3).map((event, n) =>
              // Half of the repetitions arrive as new events about the same object.
              deliver(n % 2 ? event : { ...event, id: `${event.id}_${at}_${n}` }),
            ),
          );
        const implied = impliedCredit(sessionId, BigInt(cents) * 10_000n);
        const state = await readState(person.accountId);
        expect(state.balance - state.debt).toBe(implied.credit - spent);
        expect(state.entries).toBe(implied.credit - spent);
        expect(state.debt === 0n || state.balance === state.held).toBe(true);
        expect(state.disputed).toBe(implied.open);
      },
    ),
    { numRuns },
  );
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
}

/**
 * Makes a paid call.
 * @returns its cost
 */
async function spend(key: string): Promise<bigint> {
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } },
  });
  return BigInt(Math.round((body.usage?.cost ?? 0) * 1e6));
}

function shuffle<T>(items: readonly T[], seeds: readonly number[]): T[] {
  const rest = [...items];
  const out: T[] = [];
  for (let at = 0; rest.length > 0; at++)
    out.push(...rest.splice((seeds[at % seeds.length] ?? 0) % rest.length, 1));
  return out;
}

type EventSet = readonly [
  title: string,
  status: 'paid' | 'failed',
  refundedCents: number,
  sessionEvents: readonly string[],
  creditMicrousd: bigint,
];

/** Sets of events, each with a refund, and the balance that they end in. */
export const EVENT_SETS: readonly EventSet[] = [
  ['completed, expired, refund', 'paid', 540, ['completed', 'expired'], 5_000_000n],
  ['completed, async_payment_failed, refund', 'paid', 540, ['completed', 'async_payment_failed'], 5_000_000n],
  ['completed, expired without a payment', 'failed', 0, ['completed', 'expired', 'async_payment_failed'], 0n],
  ['two paid events, fully refunded', 'paid', 1080, ['completed', 'async_payment_succeeded'], 0n],
];

/** Requires the balance of a set after each order of its events, or after each n-th of them. */
export async function checkOrders([, status, refunded, types, credit]: EventSet, every = 1): Promise<void> {
  const about = [...types.map((type) => `checkout.session.${type}`), 'charge.refunded'];
  for (const order of permutations(about).filter((_, at) => at % every === 0)) {
    const person = await newPerson();
    const sessionId = await buy(person.key, 10);
    const paymentId = payments.complete(sessionId, status);
    payments.objects(paymentId).refundedCents = refunded;
    for (const [at, type] of order.entries())
      await deliver({
        ...toEvent(sessionId, { what: 'pay' }, at),
        type,
        sessionId: type.startsWith('checkout') ? sessionId : null,
      });
    expect([order, await readState(person.accountId)]).toEqual([
      order,
      { balance: credit, held: 0n, debt: 0n, disputed: false, entries: credit },
    ]);
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}
