import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { requestTopup, sandboxProof, sendPayment } from '@/test/support/payment-client';
import { createReloadPerson, type ReloadPerson } from '@/test/support/reload-fixture';
import { ScriptedPayments } from '@/test/support/scripted-payments';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { newId } from '../../../kit/ids';
import { runReloads } from '../../auto-reload/run-reloads';
import { reconcilePayment } from '../../payments/reconcile-payment';
import { reconcile } from '../../reconcile/reconcile';
import { grantAccount } from '../grant-account';

const payments = new ScriptedPayments();
let harness: Harness;
/** Starts a gateway with in-memory payments for the tests of a file. */
export function setUpMoney(): void {
  beforeAll(async () => {
    harness = await startHarness({
      ports: { payments },
      role: 'command',
      env: {
        MACHINE_PAYMENTS_SANDBOX: '1',
        PROVISION_PER_HOUR: '100000',
        PROVISION_PER_DAY: '100000',
        PROVISION_TOTAL_PER_HOUR: '100000',
        ...UNLIMITED_RATES,
      },
    });
  });
  afterAll(() => harness.close());
}

/** Everything that moves money, each with an amount in micro-dollars and a share of a payment. */
const ACTS = [
  'call',
  'calls at once',
  'failing call',
  'grant',
  'allowance',
  'claim',
  'purchase',
  'refund',
  'dispute',
  'won',
  'lost',
  'reload',
  'declined reload',
  'machine top-up',
] as const;
type Act = (typeof ACTS)[number];
interface Step {
  act: Act;
  micros: number;
  share: number;
}
const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...ACTS),
    micros: fc.integer({ min: 1, max: 900_000 }),
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { minLength: 8, maxLength: 24 },
);
/** A sequence in which each act moves money. */
const everything: Step[] = [
  ...ACTS,
  'purchase' as const,
  'dispute' as const,
  'lost' as const,
  'call' as const,
].map((act) => ({
  act,
  micros: 123_457,
  share: 0.37,
}));
/** How often each act has moved money: a sequence without movements proves nothing. */
const moves = new Map<Act, number>();

/** One account, and the balance that its owner would compute. */
class Books {
  readonly person: ReloadPerson;
  readonly bought: string[] = [];
  /** Remaining credit of each payment at the last snapshot. */
  readonly #worth = new Map<string, bigint>();
  expected: bigint;

  constructor(person: ReloadPerson, start: bigint) {
    this.person = person;
    this.expected = start;
  }

  note(act: Act, amount: bigint): void {
    this.expected += amount;
    moves.set(act, (moves.get(act) ?? 0) + 1);
  }

  async take({ act, micros, share }: Step): Promise<void> {
    const { key, accountId } = this.person;
    if (act === 'call') await this.call(micros);
    else if (act === 'calls at once') await Promise.all([1, 2, 3, 4, 5].map(() => this.call(micros, act)));
    else if (act === 'failing call') await this.fail();
    else if (act === 'grant') await this.grant(accountId, micros);
    else if (act === 'allowance') await this.allow(micros);
    else if (act === 'claim') await this.claim(micros);
    else if (act === 'purchase') await this.purchase(share);
    else if (act === 'reload' || act === 'declined reload') await this.reload(act);
    else if (act === 'machine top-up') {
      const usd = 1 + Math.floor(share * 4);
      const { sandbox } = await requestTopup(harness, key, usd);
      if (!sandbox.id) return;
      const paid = await sendPayment(harness, sandbox, sandboxProof(sandbox), { amountUsd: usd });
      expect(paid.status).toBe(200);
      this.note(act, BigInt(usd) * 1_000_000n);
    } else await this.change(act, share);
  }

  async call(micros: number, act: Act = 'call'): Promise<void> {
    const json = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: micros / 1e6 } };
    const { status, body } = await harness.request('POST', '/v1/tools/call', { key: this.person.key, json });
    // 402 for what the account cannot pay or owes, 403 while a payment is disputed.
    expect([200, 402, 403]).toContain(status);
    if (status !== 200) return;
    expect(body.usage.cost).toBe(micros / 1e6);
    this.note(act, -BigInt(micros));
  }

  async fail(): Promise<void> {
    const json = { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } };
    const { status } = await harness.request('POST', '/v1/tools/call', { key: this.person.key, json });
    if (status === 502) this.note('failing call', 0n);
  }

  async grant(accountId: string, micros: number): Promise<void> {
    const amount = BigInt(micros);
    const given = { accountId, amount, ref: newId('request'), memo: 'test' };
    expect(await grantAccount(harness.runtime, 'operator:test', given)).toBe(true);
    this.note('grant', amount);
  }

  async allow(micros: number): Promise<void> {
    const json = { name: 'allowed', credits: micros / 1e6 };
    const { status } = await harness.request('POST', '/v1/keys', { key: this.person.key, json });
    if (status === 201) this.note('allowance', 0n);
  }

  async claim(micros: number): Promise<void> {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    await this.grant(body.account_id, micros);
    const token = new URL(body.claim_url).searchParams.get('token');
    const claimed = await harness.request('POST', '/v1/auth/claim', {
      key: this.person.key,
      json: { token },
    });
    expect(claimed.body.credits_moved_usd).toBe(micros / 1e6);
    this.note('claim', 0n);
  }

  async purchase(share: number): Promise<void> {
    const cents = 100 + Math.floor(share * 400);
    const json = { amount_usd: cents / 100 };
    const { status, body } = await harness.request('POST', '/v1/billing/checkout', {
      key: this.person.key,
      json,
    });
    if (status === 403) return;
    expect(status).toBe(200);
    const paymentId = payments.complete(`cs_${body.order_id}`);
    await this.settle('purchase', paymentId);
    this.bought.push(paymentId);
  }

  async reload(act: 'reload' | 'declined reload'): Promise<void> {
    const { accountId } = this.person;
    const { sql } = harness.runtime;
    // Takes earlier charges out of the caps' windows.
    await sql`update orders set finished_at = finished_at - interval '2 days'
      where account_id = ${accountId} and kind = 'reload'`;
    await sql`update accounts set auto_reload_enabled = true, reload_stopped_at = null, reload_failures = 0,
      reload_wanted_at = now(), reload_not_before_at = null where id = ${accountId}`;
    const known = new Set(payments.paid.map(({ id }) => id));
    payments.outcomes.length = 0;
    if (act === 'declined reload') payments.outcomes.push({ declined: 'insufficient_funds' });
    const before = payments.requests.length;
    await runReloads(harness.runtime, new AbortController().signal);
    await sql`update accounts set auto_reload_enabled = false, reload_wanted_at = null where id = ${accountId}`;
    payments.outcomes.length = 0;
    if (payments.requests.length === before) return;
    const made = payments.paid.filter(({ id }) => !known.has(id));
    expect(made).toHaveLength(act === 'reload' ? 1 : 0);
    this.note(act, act === 'reload' ? RELOAD : 0n);
    for (const { id } of made) {
      this.#worth.set(id, RELOAD);
      this.bought.push(id);
    }
  }

  /** Refunds or disputes one of the payments, reconciles it, and computes the remaining credit. */
  async change(act: Act, share: number): Promise<void> {
    const id = this.bought[Math.floor(share * 997) % Math.max(1, this.bought.length)];
    if (!id) return;
    const facts = payments.objects(id);
    const left = facts.totalCents - facts.refundedCents;
    const open = facts.disputes.find(({ state }) => state === 'open');
    if (act === 'refund') {
      if (left === 0) return;
      facts.refundedCents += Math.ceil(share * left);
    } else if (act === 'dispute') {
      if (facts.disputes.some(({ state }) => state !== 'won')) return;
      const cents = Math.ceil(share * facts.totalCents);
      facts.disputes.push({ id: `dp_${facts.disputes.length}`, cents, state: 'open' });
    } else {
      if (!open) return;
      open.state = act === 'won' ? 'won' : 'lost';
    }
    await this.settle(act, id);
  }

  /** Reconciles a payment twice, and records the expected change of its credit. */
  async settle(act: Act, paymentId: string): Promise<void> {
    await reconcilePayment(harness.runtime, payments, paymentId);
    await reconcilePayment(harness.runtime, payments, paymentId);
    const worth = await this.computeRemaining(paymentId);
    const before = this.#worth.get(paymentId) ?? 0n;
    this.#worth.set(paymentId, worth);
    this.note(act, worth - before);
  }

  /** The remaining credit of a payment, computed from its objects. */
  async computeRemaining(paymentId: string): Promise<bigint> {
    const { orderId, totalCents, refundedCents, disputes } = payments.objects(paymentId);
    const [order] = await harness.runtime.sql<{ credits: bigint }[]>`
      select credits_microusd as credits from orders where id = ${orderId ?? ''}`;
    const credits = Number(order?.credits ?? 0n);
    const standing = disputes
      .filter(({ state }) => state !== 'won')
      .reduce((sum, { cents }) => sum + cents, 0);
    const disputed = Math.min(standing, totalCents - refundedCents);
    if (refundedCents + disputed === totalCents) return 0n;
    const gone = (cents: number) => Math.round((credits * cents) / totalCents);
    return BigInt(Math.max(0, credits - gone(refundedCents) - gone(disputed)));
  }

  /** Compares with the database: the balance minus the debt, and the sum of the entries. */
  async check(): Promise<void> {
    const [row] = await harness.runtime.sql<
      { net: bigint; held: bigint; balance: bigint; entries: bigint }[]
    >`
      select balance_microusd - debt_microusd as net, held_microusd as held, balance_microusd as balance,
        coalesce((select sum(amount_microusd) from ledger_entries where account_id = a.id), 0)::bigint as entries
      from accounts a where id = ${this.person.accountId}`;
    expect(row).toMatchObject({ net: this.expected, entries: this.expected, held: 0n });
    expect(row?.balance).toBeGreaterThanOrEqual(0n);
  }
}

const START = 1_500_000n;
const RELOAD = 20_000_000n;

/**
 * Checks that entries add up to balances and the ledger is consistent, whatever moves money in any
 * order; and that each act has happened.
 */
export async function checkMoney(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const wanted = { credit: START, threshold: 900_000_000n, amount: RELOAD, enabled: false };
      const books = new Books(await createReloadPerson(harness, payments, wanted), START);
      for (const step of taken) {
        await books.take(step);
        await books.check();
      }
      expect((await reconcile(harness.runtime)).differences).toEqual([]);
    }),
    { numRuns, examples: [[everything]] },
  );
  expect([...moves.keys()].sort()).toEqual([...ACTS].sort());
}
