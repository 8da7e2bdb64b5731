import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '@/test/support/harness';
import {
  BALANCE_AFTER_RELOAD,
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  type ReloadPerson,
  spend,
} from '@/test/support/reload-fixture';
import { reconcilePayment } from '../payments/reconcile-payment';

let fixture: ReloadFixture;
beforeAll(async () => {
  fixture = await ReloadFixture.start();
});
afterAll(() => fixture.close());
afterEach(() => fixture.endTest());

const call = (person: ReloadPerson, amount: bigint) => spend(fixture.harness, person.key, amount);

describe('auto-recharge charges the saved card when a settled call leaves less than the threshold', () => {
  it('for the amount plus the fee, and credits the amount', async () => {
    const person = await fixture.createLowPerson();
    await fixture.run();
    await fixture.run();
    const state = await fixture.state(person);
    expect(state).toMatchObject({
      balance: BALANCE_AFTER_RELOAD,
      wanted: false,
      orders: [{ status: 'paid', attempts: 1 }],
      mails: [],
    });
    expect(fixture.payments.requests).toEqual([
      {
        orderId: state.orders[0]?.id,
        customerId: person.customerId,
        paymentMethodId: person.card.paymentMethodId,
        totalCents: 2110,
        description: 'Auto-recharge: $20.00 of credit',
      },
    ]);
  });

  it('again when that credit is spent', async () => {
    const person = await fixture.createLowPerson({ amount: 2_000_000n });
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ balance: 6_000_000n });
    await call(person, 1_000_000n);
    expect(await fixture.state(person)).toMatchObject({ wanted: false });
    await call(person, 1_000n);
    await fixture.run();
    const orders = [{ status: 'paid' }, { status: 'paid' }];
    expect(await fixture.state(person)).toMatchObject({ balance: 6_999_000n, orders });
  });

  it.each<[string, (person: ReloadPerson) => Promise<unknown>]>([
    ['auto-recharge was switched off', (person) => fixture.set(person, 'auto_reload_enabled = false')],
    ['the threshold was lowered', (person) => fixture.set(person, 'reload_threshold_microusd = 4000000')],
    ['the account was frozen', (person) => fixture.set(person, 'frozen_at = now()')],
    ['a payment is disputed', (person) => fixture.set(person, 'disputed_at = now()')],
    ['the account was closed', (person) => fixture.set(person, 'closed_at = now()')],
    [
      'the card was removed',
      ({ accountId }) =>
        fixture.harness.runtime
          .sql`update payment_profiles set payment_method_id = null where account_id = ${accountId}`,
    ],
  ])('but not if %s before the charge', async (_, change) => {
    const person = await fixture.createLowPerson();
    await change(person);
    const before = fixture.payments.requestCount;
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      wanted: false,
      orders: [],
    });
    expect(fixture.payments.requestCount).toBe(before);
  });

  it('but not for a failed call or a refund', async () => {
    const person = await fixture.createLowPerson({ threshold: BALANCE_BELOW_THRESHOLD });
    await fixture.run();
    await fixture.harness.request('POST', '/v1/tools/call', {
      key: person.key,
      json: { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
    });
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      wanted: false,
      orders: [],
    });
    await call(person, 1n);
    await fixture.run();
    const payment = fixture.lastPayment;
    payment.refundedCents = 2110;
    await reconcilePayment(fixture.harness.runtime, fixture.payments, payment.id);
    await fixture.run();
    const orders = [{ status: 'paid' }];
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD - 1n,
      wanted: false,
      orders,
    });
  });

  it('but not with an order of another payment mode', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push('unreachable');
    await fixture.run();
    await fixture.harness.runtime
      .sql`update orders set mode = 'test' where account_id = ${person.accountId} and status = 'open'`;
    await call(person, 1n);
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD - 1n,
      orders: [{ status: 'failed', failure_code: 'mode_changed' }, { status: 'paid' }],
    });
  });

  it('but not without a provider', async () => {
    const bare = await startHarness({ ports: { payments: null }, role: 'command', peer: fixture.harness });
    const person = await fixture.createLowPerson();
    await fixture.run(bare);
    expect(await fixture.state(person)).toMatchObject({ wanted: true, orders: [] });
    await bare.close();
  });
});

describe('an order that was not charged yet', () => {
  it.each<[string, (person: ReloadPerson) => Promise<unknown>]>([
    ['auto-recharge is switched off', (person) => fixture.set(person, 'auto_reload_enabled = false')],
    ['the account is frozen', (person) => fixture.set(person, 'frozen_at = now()')],
    ['the threshold is lowered', (person) => fixture.set(person, 'reload_threshold_microusd = 0')],
  ])('is cancelled when %s', async (_, change) => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push('unreachable');
    await fixture.run();
    await change(person);
    await fixture.passTime();
    const before = fixture.payments.requests.length;
    await fixture.run();
    // It first waits for charges that may be in flight.
    expect(await fixture.state(person)).toMatchObject({ orders: [{ status: 'open' }] });
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ orders: [{ status: 'open' }] });
    await fixture.passTime();
    await fixture.run();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      wanted: false,
      failures: 0,
      orders: [{ status: 'expired', failure_code: 'not_needed' }],
      mails: [],
    });
    expect(fixture.payments.requests).toHaveLength(before);
  });

  it('is replaced by one with the new card when the card was replaced, even without an event', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push('refused');
    const { card } = fixture.payments.addCustomer();
    fixture.payments.cards.set(person.customerId, card);
    await fixture.run();
    await fixture.passTime();
    await fixture.run();
    await fixture.passTime();
    await fixture.run();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD,
      orders: [{ status: 'expired' }, { status: 'paid' }],
    });
    expect(fixture.payments.requests.at(-1)).toMatchObject({ paymentMethodId: card.paymentMethodId });
  });

  it('stays open and is logged when the provider returns an error instead of a decline', async () => {
    const person = await fixture.createLowPerson();
    const { log } = fixture.harness;
    fixture.payments.outcomes.push('refused', 'refused');
    log.length = 0;
    await fixture.run();
    await fixture.passTime();
    await fixture.run();
    const orders = [{ status: 'open', attempts: 2 }];
    expect(await fixture.state(person)).toMatchObject({ failures: 0, orders });
    expect(log.filter((line) => line.includes('reload.charge_failed'))).toHaveLength(2);
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD,
      orders: [{ status: 'paid' }],
    });
  });
});
