import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BALANCE_AFTER_RELOAD,
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  spend,
} from '@/test/support/reload-fixture';
import { reconcilePayment } from '../payments/reconcile-payment';
import { changeWhileLocked } from '../testing/change-while-locked';

let fixture: ReloadFixture;
beforeAll(async () => {
  fixture = await ReloadFixture.start();
});
afterAll(() => fixture.close());
afterEach(() => fixture.endTest());

const PAID = [{ status: 'paid' }];

describe('a reload is charged once', () => {
  it('when two processes run at the same moment', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => fixture.createLowPerson()));
    const processes = [fixture.harness, fixture.other, fixture.harness, fixture.other];
    await Promise.all(processes.map((process) => fixture.run(process)));
    for (const person of people)
      expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
    expect(fixture.payments.requests).toHaveLength(people.length);
  });

  it('when the process dies after the charge, as the next one finds the payment', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push({ dies: 'paid' });
    const before = fixture.payments.requests.length;
    void fixture.run();
    await expect.poll(() => fixture.payments.requests.length).toBe(before + 1);
    // While its lease lives, no other process touches it, even if more calls request a reload.
    await spend(fixture.harness, person.key, 1n);
    await fixture.run(fixture.other);
    const open = {
      balance: BALANCE_BELOW_THRESHOLD - 1n,
      wanted: false,
      orders: [{ status: 'open', attempts: 1 }],
    };
    expect(await fixture.state(person)).toMatchObject(open);
    await fixture.passTime();
    await fixture.run(fixture.other);
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 1n, orders: PAID });
    expect(fixture.payments.requests).toHaveLength(before + 1);
  });

  it('when the process dies before the charge', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push('dies before');
    const before = fixture.payments.requests.length;
    void fixture.run();
    await expect.poll(() => fixture.payments.requests.length).toBe(before + 1);
    await fixture.passTime();
    await fixture.run(fixture.other);
    const orders = [{ status: 'paid', attempts: 2 }];
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders });
  });

  it('when the response is lost, and only after a delay', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push({ lost: 'paid' });
    await fixture.run();
    await fixture.run(fixture.other);
    const open = { balance: BALANCE_BELOW_THRESHOLD, orders: [{ status: 'open', attempts: 1 }] };
    expect(await fixture.state(person)).toMatchObject(open);
    await fixture.passTime();
    await fixture.run(fixture.other);
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it('when the response is lost and the idempotency key has expired @E11', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push({ lost: 'paid' });
    await fixture.run();
    fixture.payments.forgetKeys();
    await fixture.age(person, '30 hours');
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it('when the response is lost and auto-recharge is switched off before the retry', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push({ lost: 'paid' });
    await fixture.run();
    await fixture.set(person, 'auto_reload_enabled = false');
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it.each(['frozen_at = now()', 'auto_reload_enabled = false'])(
    'or not at all, if %s commits right before the charge @F13',
    async (change) => {
      const person = await fixture.createLowPerson();
      fixture.payments.outcomes.push('unreachable');
      await fixture.run();
      await fixture.passTime();
      const before = fixture.payments.requests.length;
      await changeWhileLocked(fixture.harness, person.accountId, change, () => fixture.run(fixture.other));
      expect(fixture.payments.requests).toHaveLength(before);
      expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_BELOW_THRESHOLD });
    },
  );

  it('when an event credits it before the charging process does', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push({ lost: 'paid' });
    await fixture.run();
    await reconcilePayment(fixture.harness.runtime, fixture.payments, fixture.lastPayment.id);
    await fixture.passTime();
    await Promise.all([fixture.run(), fixture.run(fixture.other)]);
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it('while a payment is pending: nothing else is charged @A21', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push('pending');
    const before = fixture.payments.requests.length;
    await fixture.run();
    await spend(fixture.harness, person.key, 1n);
    await fixture.passTime();
    await fixture.run();
    const open = { balance: BALANCE_BELOW_THRESHOLD - 1n, orders: [{ status: 'open', attempts: 2 }] };
    expect(await fixture.state(person)).toMatchObject(open);
    fixture.lastPayment.status = 'paid';
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 1n, orders: PAID });
    expect(fixture.payments.requests).toHaveLength(before + 1);
  });

  it('when the provider is unavailable, as the charge is retried later @E11', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.down = true;
    await fixture.run();
    fixture.payments.down = false;
    await fixture.run();
    const open = { balance: BALANCE_BELOW_THRESHOLD, failures: 0, orders: [{ status: 'open', attempts: 1 }] };
    expect(await fixture.state(person)).toMatchObject(open);
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });
});

it('a payment that does not match its order stays open, and the account is not charged again @A11', async () => {
  const person = await fixture.createLowPerson();
  fixture.payments.outcomes.push({ lost: 'paid' });
  await fixture.run();
  const payment = fixture.lastPayment;
  payment.currency = 'eur';
  const before = fixture.payments.requests.length;
  for (let i = 0; i < 3; i++) {
    await fixture.passTime();
    await spend(fixture.harness, person.key, 1n);
    await fixture.run();
  }
  expect(await fixture.state(person)).toMatchObject({
    balance: BALANCE_BELOW_THRESHOLD - 3n,
    orders: [{ status: 'open' }],
  });
  expect(fixture.payments.requests).toHaveLength(before);
  payment.currency = 'usd';
  await fixture.passTime();
  await fixture.run();
  expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 3n, orders: PAID });
});
