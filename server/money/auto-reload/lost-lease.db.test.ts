import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BALANCE_BELOW_THRESHOLD, ReloadFixture, spend } from '@/test/support/reload-fixture';

let fixture: ReloadFixture;
beforeAll(async () => {
  fixture = await ReloadFixture.start();
});
afterAll(() => fixture.close());
afterEach(() => fixture.endTest());

it('a process that stalled for longer than its lease does not charge an order that another has cancelled', async () => {
  const person = await fixture.createLowPerson();
  fixture.payments.outcomes.push('unreachable');
  await fixture.run();
  await fixture.passTime();
  // The second attempt hangs while it searches for a payment of the first.
  let goOn = () => {};
  const findPayment = fixture.payments.findPaymentOfOrder.bind(fixture.payments);
  const hangs = new Promise<void>((started) => {
    fixture.payments.findPaymentOfOrder = async (order) => {
      fixture.payments.findPaymentOfOrder = findPayment;
      const found = await findPayment(order);
      started();
      await new Promise<void>((done) => {
        goOn = done;
      });
      return found;
    };
  });
  const stalled = fixture.run();
  await hangs;
  await fixture.passTime();
  // Another process finds auto-recharge switched off, and cancels the order.
  await fixture.set(person, 'auto_reload_enabled = false');
  await fixture.run(fixture.other);
  await fixture.passTime();
  await fixture.run(fixture.other);
  expect(await fixture.state(person)).toMatchObject({ orders: [{ status: 'expired' }] });
  await fixture.set(person, 'auto_reload_enabled = true');
  const before = fixture.payments.requests.length;
  goOn();
  await stalled;
  expect(fixture.payments.requests).toHaveLength(before);
  await spend(fixture.harness, person.key, 1n);
  await fixture.run();
  expect(fixture.payments.requests).toHaveLength(before + 1);
  const orders = [{ status: 'expired' }, { status: 'paid' }];
  expect(await fixture.state(person)).toMatchObject({
    balance: BALANCE_BELOW_THRESHOLD - 1n + 20_000_000n,
    orders,
  });
});

it('an order that was not charged yet is replaced when the amount changes', async () => {
  const person = await fixture.createLowPerson({ amount: 500_000_000n });
  fixture.payments.outcomes.push('unreachable');
  await fixture.run();
  await fixture.set(person, 'reload_amount_microusd = 20000000');
  await fixture.passTime();
  await fixture.run();
  await fixture.passTime();
  await fixture.run();
  await fixture.run();
  const orders = [{ status: 'expired', failure_code: 'not_needed' }, { status: 'paid' }];
  expect(await fixture.state(person)).toMatchObject({
    balance: BALANCE_BELOW_THRESHOLD + 20_000_000n,
    orders,
  });
});
