import { expect } from 'vitest';
import { paymentProfiles } from '@/db/schema/payments';
import type { Runtime } from '@/server/core/runtime';
import { runReloads } from '@/server/money/auto-reload/run-reloads';
import { reconcile } from '@/server/money/reconcile/reconcile';
import type { SavedCard } from '@/server/platform/ports/ports';
import { type Harness, startHarness } from './harness';
import { ScriptedPayments } from './scripted-payments';

/** A person with credit, a saved card and auto-recharge on. Amounts are in micro-dollars. */
export interface ReloadPerson {
  userId: string;
  accountId: string;
  key: string;
  customerId: string;
  card: SavedCard;
}

interface Wanted {
  credit: bigint;
  threshold?: bigint;
  amount?: bigint;
  enabled?: boolean;
  card?: Partial<SavedCard>;
}

/** The balance after calls took it below the threshold, and after a reload. */
export const BALANCE_BELOW_THRESHOLD = 4_000_000n;
export const BALANCE_AFTER_RELOAD = 24_000_000n;

/** Creates such a person and their customer at the fake provider. */
export async function createReloadPerson(
  harness: Harness,
  payments: ScriptedPayments,
  { credit, threshold = 5_000_000n, amount = 20_000_000n, enabled = true, card = {} }: Wanted,
): Promise<ReloadPerson> {
  const { userId, accountId, key } = await harness.person(credit);
  const { customerId, card: saved } = payments.addCustomer(card);
  await harness.runtime.db.insert(paymentProfiles).values({
    accountId,
    mode: payments.mode,
    customerId,
    paymentMethodId: saved.paymentMethodId,
    cardBrand: saved.brand,
    cardLast4: saved.last4,
  });
  await harness.runtime.sql`
    update accounts set auto_reload_enabled = ${enabled}, reload_threshold_microusd = ${threshold},
      reload_amount_microusd = ${amount} where id = ${accountId}`;
  return { userId, accountId, key, customerId, card: saved };
}

/** Makes a paid call of this amount. */
export async function spend(harness: Harness, key: string, amount: bigint) {
  return await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: Number(amount) / 1e6 } },
  });
}

/** Reads the balance and the reload state of an account. */
export async function readReloadState({ sql }: Runtime, accountId: string) {
  const [account] = await sql<
    {
      balance: bigint;
      enabled: boolean;
      failures: number;
      stopped: boolean;
      wanted: boolean;
      waits: boolean;
    }[]
  >`
    select balance_microusd as balance, auto_reload_enabled as enabled, reload_failures as failures,
      reload_stopped_at is not null as stopped, reload_wanted_at is not null as wanted,
      reload_not_before_at > now() is true as waits
    from accounts where id = ${accountId}`;
  const orders = await sql<{ id: string; status: string; failure_code: string | null; attempts: number }[]>`
    select id, status, failure_code, attempts from orders where account_id = ${accountId} order by created_at`;
  const mails = await sql<{ kind: string }[]>`
    select kind from outgoing_emails where account_id = ${accountId} order by id`;
  if (!account) throw new Error('There is no such account');
  return { ...account, orders, mails: mails.map(({ kind }) => kind) };
}

/** Two processes without background work, on one database and one fake provider. */
export class ReloadFixture {
  readonly payments: ScriptedPayments;
  readonly harness: Harness;
  readonly other: Harness;

  private constructor(payments: ScriptedPayments, harness: Harness, other: Harness) {
    this.payments = payments;
    this.harness = harness;
    this.other = other;
  }

  static async start(): Promise<ReloadFixture> {
    const payments = new ScriptedPayments();
    const options = { ports: { payments }, role: 'command' } as const;
    const harness = await startHarness(options);
    return new ReloadFixture(payments, harness, await startHarness({ ...options, peer: harness }));
  }

  async close(): Promise<void> {
    await this.other.close();
    await this.harness.close();
  }

  /**
   * Run after each test: checks that payments match credits and that reconciliation passes, and
   * turns auto-recharge off for all accounts.
   */
  async endTest(): Promise<void> {
    const { harness, payments } = this;
    await harness.runtime
      .sql`update accounts set auto_reload_enabled = false, reload_wanted_at = null, disputed_at = null`;
    payments.outcomes.length = 0;
    payments.down = false;
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
    const credited = await harness.runtime.sql`select id from payments where credited_microusd > 0`;
    expect(credited.map(({ id }) => id).sort()).toEqual(payments.paid.map(({ id }) => id).sort());
  }

  /** Runs one round of reloads in a process. */
  async run(process: Harness = this.harness): Promise<void> {
    await runReloads(process.runtime, new AbortController().signal);
  }

  async state({ accountId }: ReloadPerson) {
    return await readReloadState(this.harness.runtime, accountId);
  }

  /** Updates an account. @param change the SET clause in SQL */
  async set({ accountId }: ReloadPerson, change: string): Promise<void> {
    await this.harness.runtime.sql.unsafe(`update accounts set ${change} where id = $1`, [accountId]);
  }

  /** Creates a person who had 6 dollars and has 4 left after calls. */
  async createLowPerson(wanted: Partial<Wanted> = {}): Promise<ReloadPerson> {
    const person = await createReloadPerson(this.harness, this.payments, {
      credit: BALANCE_BELOW_THRESHOLD + 2_000_000n,
      ...wanted,
    });
    for (let i = 0; i < 2; i++) expect((await spend(this.harness, person.key, 1_000_000n)).status).toBe(200);
    return person;
  }

  /** Expires all order leases and reload delays. */
  async passTime(): Promise<void> {
    const { sql } = this.harness.runtime;
    const past = sql`now() - interval '1 second'`;
    await sql`update orders set lease_expires_at = ${past} where lease_expires_at is not null`;
    await sql`update accounts set reload_not_before_at = ${past} where reload_not_before_at is not null`;
  }

  /** Moves the creation and completion of an account's orders into the past. */
  async age({ accountId }: ReloadPerson, interval: string): Promise<void> {
    await this.harness.runtime.sql`
      update orders set created_at = created_at - ${interval}::interval,
        finished_at = finished_at - ${interval}::interval where account_id = ${accountId}`;
  }

  /** The latest payment at the fake provider. */
  get lastPayment() {
    const last = [...this.payments.facts.values()].at(-1);
    if (!last) throw new Error('Nothing was charged');
    return last;
  }
}
