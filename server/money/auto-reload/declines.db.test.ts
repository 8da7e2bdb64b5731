import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BALANCE_AFTER_RELOAD,
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  spend,
} from '../../testing/reload-fixture';
import { reconcilePayment } from '../payments/reconcile-payment';
import { resetReload } from './reset-reload';

let world: ReloadFixture;
beforeAll(async () => {
  world = await ReloadFixture.start();
});
afterAll(() => world.close());
afterEach(() => world.endTest());

const decline = { declined: 'insufficient_funds' };
const failed = { status: 'failed', failure_code: 'insufficient_funds' };

describe('a declined card', () => {
  it('is retried automatically after the configured time, and not before', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push(decline);
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      failures: 1,
      waits: true,
      wanted: true,
      orders: [failed],
      mails: ['reload_declined'],
    });
    await spend(world.harness, person.key, 1n);
    await world.run();
    await world.run(world.other);
    expect((await world.state(person)).orders).toHaveLength(1);
    await world.passTime();
    await world.run();
    expect(await world.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD - 1n,
      failures: 0,
      waits: false,
      wanted: false,
      orders: [failed, { status: 'paid' }],
      mails: ['reload_declined'],
    });
  });

  it('is reported to the webhooks of the account', async () => {
    const person = await world.createLowPerson();
    const { key } = person;
    const json = { url: 'https://example.com/hooks', events: ['auto_recharge.failed'] };
    const { id } = (await world.harness.request('POST', '/v1/webhooks', { key, json })).body;
    world.payments.outcomes.push(decline);
    await world.run();
    const path = `/v1/webhooks/${id}/deliveries`;
    const { deliveries } = (await world.harness.request('GET', path, { key })).body;
    expect(deliveries).toHaveLength(1);
    const one = await world.harness.request('GET', `${path}/${deliveries[0].id}`, { key });
    expect(one.body.payload).toMatchObject({
      type: 'auto_recharge.failed',
      data: { account_id: person.accountId, reason: 'declined', code: 'insufficient_funds', stopped: false },
    });
  });

  it('switches auto-recharge off after three declines in a row, until a person switches it on again @A21', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push(decline, decline, decline);
    for (let i = 0; i < 3; i++) {
      await world.run();
      await world.passTime();
    }
    const stopped = {
      enabled: false,
      stopped: true,
      failures: 3,
      wanted: false,
      orders: [failed, failed, failed],
      mails: ['reload_declined', 'reload_declined', 'reload_stopped'],
    };
    expect(await world.state(person)).toMatchObject({ ...stopped, balance: BALANCE_BELOW_THRESHOLD });
    await spend(world.harness, person.key, 1n);
    const before = world.payments.requestCount;
    await world.run();
    expect(await world.state(person)).toMatchObject({ ...stopped, balance: BALANCE_BELOW_THRESHOLD - 1n });
    expect(world.payments.requestCount).toBe(before);

    await world.harness.runtime.db.transaction((tx) =>
      resetReload(tx, person.accountId, { credits: 20_000_000n, dailyLimit: 500_000_000n }),
    );
    await world.set(person, 'auto_reload_enabled = true');
    expect(await world.state(person)).toMatchObject({ failures: 0, stopped: false });
    await spend(world.harness, person.key, 1n);
    await world.run();
    expect(await world.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 2n, enabled: true });
  });

  it('restarts the count after a paid reload', async () => {
    const person = await world.createLowPerson({ amount: 1_000_000n, threshold: 10_000_000n });
    world.payments.outcomes.push(decline, decline, 'paid', decline, decline, 'paid');
    for (let i = 0; i < 6; i++) {
      await world.run();
      await spend(world.harness, person.key, 1n);
      await world.passTime();
    }
    const state = await world.state(person);
    expect(state).toMatchObject({ enabled: true, failures: 0 });
    const statuses = ['failed', 'failed', 'paid', 'failed', 'failed', 'paid'];
    expect(state.orders.map(({ status }) => status)).toEqual(statuses);
  });

  it.each([
    ['was lost', { lost: decline }],
    ['died with its process', { dies: decline }],
  ])('is counted once when its response %s', async (_, fate) => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push(fate);
    const before = world.payments.requests.length;
    const run = world.run();
    await expect.poll(() => world.payments.requests.length).toBe(before + 1);
    // It postpones the order then; a process that died does nothing more.
    if ('lost' in fate) await run;
    await world.passTime();
    await Promise.all([world.run(), world.run(world.other)]);
    const mails = ['reload_declined'];
    expect(await world.state(person)).toMatchObject({ failures: 1, orders: [failed], mails });
  });

  it('is counted once when its response was lost and the idempotency key has expired', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push({ lost: decline });
    await world.run();
    world.payments.forgetKeys();
    await world.age(person, '30 hours');
    await world.passTime();
    const before = world.payments.requests.length;
    await world.run();
    const orders = [{ status: 'failed', failure_code: 'payment_failed' }];
    expect(await world.state(person)).toMatchObject({ failures: 1, orders });
    expect(world.payments.requests).toHaveLength(before);
  });

  it('is counted when a pending payment fails later', async () => {
    const person = await world.createLowPerson();
    world.payments.outcomes.push('pending');
    await world.run();
    world.lastPayment.status = 'failed';
    await world.passTime();
    await world.run();
    const orders = [{ status: 'failed', failure_code: 'payment_failed' }];
    expect(await world.state(person)).toMatchObject({ failures: 1, orders });
  });
});

it('a payment that stays pending fails the reload after a day, and is credited if it is paid later', async () => {
  const person = await world.createLowPerson();
  world.payments.outcomes.push('pending');
  await world.run();
  const payment = world.lastPayment;
  await world.age(person, '24 hours');
  await world.passTime();
  await world.run();
  const orders = [{ status: 'failed', failure_code: 'payment_not_completed' }];
  expect(await world.state(person)).toMatchObject({ failures: 1, orders });
  payment.status = 'paid';
  await reconcilePayment(world.harness.runtime, world.payments, payment.id);
  expect(await world.state(person)).toMatchObject({
    balance: BALANCE_AFTER_RELOAD,
    failures: 0,
    orders: [{ status: 'paid' }],
  });
});
