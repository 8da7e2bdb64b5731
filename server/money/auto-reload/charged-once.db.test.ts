import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeWhileLocked } from '../../testing/change-while-locked';
import {
  BALANCE_AFTER_RELOAD,
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  spend,
} from '../../testing/reload-fixture';
import { reconcilePayment } from '../payments/reconcile-payment';

let world: ReloadFixture;
beforeAll(async () => {
  world = await ReloadFixture.start();
});
afterAll(() => world.close());
afterEach(() => world.endTest());

const PAID = [{ status: 'paid' }];

describe('a reload is charged once', () => {
  it('when two processes run at the same moment', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => world.createLowPerson()));
    const processes = [world.harness, world.other, world.harness, world.other];
    await Promise.all(processes.map((process) => world.run(process)));
    for (const person of people)
      expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
    expect(world.payments.requests).toHaveLength(people.length);
  });

  it('when the process dies after the charge, as the next one finds the payment', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push({ dies: 'paid' });
    const before = world.payments.requests.length;
    void world.run();
    await expect.poll(() => world.payments.requests.length).toBe(before + 1);
    // While its lease lives, no other process touches it, even if more calls request a reload.
    await spend(world.harness, person.key, 1n);
    await world.run(world.other);
    const open = {
      balance: BALANCE_BELOW_THRESHOLD - 1n,
      wanted: false,
      orders: [{ status: 'open', attempts: 1 }],
    };
    expect(await world.state(person)).toMatchObject(open);
    await world.passTime();
    await world.run(world.other);
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 1n, orders: PAID });
    expect(world.payments.requests).toHaveLength(before + 1);
  });

  it('when the process dies before the charge', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push('dies before');
    const before = world.payments.requests.length;
    void world.run();
    await expect.poll(() => world.payments.requests.length).toBe(before + 1);
    await world.passTime();
    await world.run(world.other);
    const orders = [{ status: 'paid', attempts: 2 }];
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders });
  });

  it('when the response is lost, and only after a delay', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push({ lost: 'paid' });
    await world.run();
    await world.run(world.other);
    const open = { balance: BALANCE_BELOW_THRESHOLD, orders: [{ status: 'open', attempts: 1 }] };
    expect(await world.state(person)).toMatchObject(open);
    await world.passTime();
    await world.run(world.other);
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it('when the response is lost and the idempotency key has expired @E11', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push({ lost: 'paid' });
    await world.run();
    world.payments.forgetKeys();
    await world.age(person, '30 hours');
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it('when the response is lost and auto-recharge is switched off before the retry', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push({ lost: 'paid' });
    await world.run();
    await world.set(person, 'auto_reload_enabled = false');
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it.each(['frozen_at = now()', 'auto_reload_enabled = false'])(
    'or not at all, if %s commits right before the charge @F13',
    async (change) => {
      const person = await world.createLowPerson();
      world.payments.outcomes.push('unreachable');
      await world.run();
      await world.passTime();
      const before = world.payments.requests.length;
      await changeWhileLocked(world.harness, person.accountId, change, () => world.run(world.other));
      expect(world.payments.requests).toHaveLength(before);
      expect(await world.state(person)).toMatchObject({ balance: BALANCE_BELOW_THRESHOLD });
    },
  );

  it('when an event credits it before the charging process does', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push({ lost: 'paid' });
    await world.run();
    await reconcilePayment(world.harness.runtime, world.payments, world.lastPayment.id);
    await world.passTime();
    await Promise.all([world.run(), world.run(world.other)]);
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });

  it('while a payment is pending: nothing else is charged @A21', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push('pending');
    const before = world.payments.requests.length;
    await world.run();
    await spend(world.harness, person.key, 1n);
    await world.passTime();
    await world.run();
    const open = { balance: BALANCE_BELOW_THRESHOLD - 1n, orders: [{ status: 'open', attempts: 2 }] };
    expect(await world.state(person)).toMatchObject(open);
    world.lastPayment.status = 'paid';
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 1n, orders: PAID });
    expect(world.payments.requests).toHaveLength(before + 1);
  });

  it('when the provider is unavailable, as the charge is retried later @E11', async () => {
    const person = await world.createLowPerson();
    world.payments.down = true;
    await world.run();
    world.payments.down = false;
    await world.run();
    const open = { balance: BALANCE_BELOW_THRESHOLD, failures: 0, orders: [{ status: 'open', attempts: 1 }] };
    expect(await world.state(person)).toMatchObject(open);
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD, orders: PAID });
  });
});

it('a payment that does not match its order stays open, and the account is not charged again @A11', async () => {
  const person = await world.createLowPerson();
  world.payments.outcomes.push({ lost: 'paid' });
  await world.run();
  const payment = world.lastPayment;
  payment.currency = 'eur';
  const before = world.payments.requests.length;
  for (let i = 0; i < 3; i++) {
    await world.passTime();
    await spend(world.harness, person.key, 1n);
    await world.run();
  }
  expect(await world.state(person)).toMatchObject({
    balance: BALANCE_BELOW_THRESHOLD - 3n,
    orders: [{ status: 'open' }],
  });
  expect(world.payments.requests).toHaveLength(before);
  payment.currency = 'usd';
  await world.passTime();
  await world.run();
  expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 3n, orders: PAID });
});
