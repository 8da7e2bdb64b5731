import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BALANCE_BELOW_THRESHOLD, ReloadFixture, spend } from '../../testing/reload-fixture';

let world: ReloadFixture;
beforeAll(async () => {
  world = await ReloadFixture.start();
});
afterAll(() => world.close());
afterEach(() => world.endTest());

it('a process that stalled for longer than its lease does not charge an order that another has cancelled', async () => {
  const person = await world.createLowPerson();
  world.payments.outcomes.push('unreachable');
  await world.run();
  await world.passTime();
  // The second attempt hangs while it searches for a payment of the first.
  let goOn = () => {};
  const findPayment = world.payments.findPaymentOfOrder.bind(world.payments);
  const hangs = new Promise<void>((started) => {
    world.payments.findPaymentOfOrder = async (order) => {
      world.payments.findPaymentOfOrder = findPayment;
      const found = await findPayment(order);
      started();
      await new Promise<void>((done) => {
        goOn = done;
      });
      return found;
    };
  });
  const stalled = world.run();
  await hangs;
  await world.passTime();
  // Another process finds auto-recharge switched off, and cancels the order.
  await world.set(person, 'auto_reload_enabled = false');
  await world.run(world.other);
  await world.passTime();
  await world.run(world.other);
  expect(await world.state(person)).toMatchObject({ orders: [{ status: 'expired' }] });
  await world.set(person, 'auto_reload_enabled = true');
  const before = world.payments.requests.length;
  goOn();
  await stalled;
  expect(world.payments.requests).toHaveLength(before);
  await spend(world.harness, person.key, 1n);
  await world.run();
  expect(world.payments.requests).toHaveLength(before + 1);
  const orders = [{ status: 'expired' }, { status: 'paid' }];
  expect(await world.state(person)).toMatchObject({
    balance: BALANCE_BELOW_THRESHOLD - 1n + 20_000_000n,
    orders,
  });
});

it('an order that was not charged yet is replaced when the amount changes', async () => {
  const person = await world.createLowPerson({ amount: 500_000_000n });
  world.payments.outcomes.push('unreachable');
  await world.run();
  await world.set(person, 'reload_amount_microusd = 20000000');
  await world.passTime();
  await world.run();
  await world.passTime();
  await world.run();
  await world.run();
  const orders = [{ status: 'expired', failure_code: 'not_needed' }, { status: 'paid' }];
  expect(await world.state(person)).toMatchObject({ balance: BALANCE_BELOW_THRESHOLD + 20_000_000n, orders });
});
