import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../../testing/harness';
import {
  BALANCE_AFTER_RELOAD,
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  type ReloadPerson,
  spend,
} from '../../testing/reload-fixture';
import { reconcilePayment } from '../payments/reconcile-payment';

let world: ReloadFixture;
beforeAll(async () => {
  world = await ReloadFixture.start();
});
afterAll(() => world.close());
afterEach(() => world.endTest());

const call = (person: ReloadPerson, amount: bigint) => spend(world.harness, person.key, amount);

describe('auto-recharge charges the saved card when a settled call leaves less than the threshold', () => {
  it('for the amount plus the fee, and credits the amount', async () => {
    const person = await world.createLowPerson();
    await world.run();
    await world.run();
    const state = await world.state(person);
    expect(state).toMatchObject({
      balance: BALANCE_AFTER_RELOAD,
      wanted: false,
      orders: [{ status: 'paid', attempts: 1 }],
      mails: [],
    });
    expect(world.payments.requests).toEqual([
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
    const person = await world.createLowPerson({ amount: 2_000_000n });
    await world.run();
    expect(await world.state(person)).toMatchObject({ balance: 6_000_000n });
    await call(person, 1_000_000n);
    expect(await world.state(person)).toMatchObject({ wanted: false });
    await call(person, 1_000n);
    await world.run();
    const orders = [{ status: 'paid' }, { status: 'paid' }];
    expect(await world.state(person)).toMatchObject({ balance: 6_999_000n, orders });
  });

  it.each<[string, (person: ReloadPerson) => Promise<unknown>]>([
    ['auto-recharge was switched off', (person) => world.set(person, 'auto_reload_enabled = false')],
    ['the threshold was lowered', (person) => world.set(person, 'reload_threshold_microusd = 4000000')],
    ['the account was frozen', (person) => world.set(person, 'frozen_at = now()')],
    ['a payment is disputed', (person) => world.set(person, 'disputed_at = now()')],
    ['the account was closed', (person) => world.set(person, 'closed_at = now()')],
    [
      'the card was removed',
      ({ accountId }) =>
        world.harness.runtime
          .sql`update payment_profiles set payment_method_id = null where account_id = ${accountId}`,
    ],
  ])('but not if %s before the charge', async (_, change) => {
    const person = await world.createLowPerson();
    await change(person);
    const before = world.payments.requestCount;
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      wanted: false,
      orders: [],
    });
    expect(world.payments.requestCount).toBe(before);
  });

  it('but not for a failed call or a refund', async () => {
    const person = await world.createLowPerson({ threshold: BALANCE_BELOW_THRESHOLD });
    await world.run();
    await world.harness.request('POST', '/v1/tools/call', {
      key: person.key,
      json: { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
    });
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      wanted: false,
      orders: [],
    });
    await call(person, 1n);
    await world.run();
    const payment = world.lastPayment;
    payment.refundedCents = 2110;
    await reconcilePayment(world.harness.runtime, world.payments, payment.id);
    await world.run();
    const orders = [{ status: 'paid' }];
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD - 1n,
      wanted: false,
      orders,
    });
  });

  it('but not with an order of another payment mode', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push('unreachable');
    await world.run();
    await world.harness.runtime
      .sql`update orders set mode = 'test' where account_id = ${person.accountId} and status = 'open'`;
    await call(person, 1n);
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD - 1n,
      orders: [{ status: 'failed', failure_code: 'mode_changed' }, { status: 'paid' }],
    });
  });

  it('but not without a provider', async () => {
    const bare = await startHarness({ ports: { payments: null }, role: 'command', peer: world.harness });
    const person = await world.createLowPerson();
    await world.run(bare);
    expect(await world.state(person)).toMatchObject({ wanted: true, orders: [] });
    await bare.close();
  });
});

describe('an order that was not charged yet', () => {
  it.each<[string, (person: ReloadPerson) => Promise<unknown>]>([
    ['auto-recharge is switched off', (person) => world.set(person, 'auto_reload_enabled = false')],
    ['the account is frozen', (person) => world.set(person, 'frozen_at = now()')],
    ['the threshold is lowered', (person) => world.set(person, 'reload_threshold_microusd = 0')],
  ])('is cancelled when %s', async (_, change) => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push('unreachable');
    await world.run();
    await change(person);
    await world.passTime();
    const before = world.payments.requests.length;
    await world.run();
    // It first waits for charges that may be in flight.
    expect(await world.state(person)).toMatchObject({ orders: [{ status: 'open' }] });
    await world.run();
    expect(await world.state(person)).toMatchObject({ orders: [{ status: 'open' }] });
    await world.passTime();
    await world.run();
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      wanted: false,
      failures: 0,
      orders: [{ status: 'expired', failure_code: 'not_needed' }],
      mails: [],
    });
    expect(world.payments.requests).toHaveLength(before);
  });

  it('is replaced by one with the new card when the card was replaced, even without an event', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push('refused');
    const { card } = world.payments.addCustomer();
    world.payments.cards.set(person.customerId, card);
    await world.run();
    await world.passTime();
    await world.run();
    await world.passTime();
    await world.run();
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD,
      orders: [{ status: 'expired' }, { status: 'paid' }],
    });
    expect(world.payments.requests.at(-1)).toMatchObject({ paymentMethodId: card.paymentMethodId });
  });

  it('stays open and is logged when the provider returns an error instead of a decline', async () => {
    const person = await world.createLowPerson();
    const { log } = world.harness;
    world.payments.outcomes.push('refused', 'refused');
    log.length = 0;
    await world.run();
    await world.passTime();
    await world.run();
    const orders = [{ status: 'open', attempts: 2 }];
    expect(await world.state(person)).toMatchObject({ failures: 0, orders });
    expect(log.filter((line) => line.includes('reload.charge_failed'))).toHaveLength(2);
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD,
      orders: [{ status: 'paid' }],
    });
  });
});
