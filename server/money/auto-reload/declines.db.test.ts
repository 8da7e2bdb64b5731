import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  BALANCE_AFTER_RELOAD,
  BALANCE_BELOW_THRESHOLD,
  ReloadFixture,
  spend,
} from '@/test/support/reload-fixture';
import { reconcilePayment } from '../payments/reconcile-payment';
import { resetReload } from './reset-reload';

let fixture: ReloadFixture;
beforeAll(async () => {
  fixture = await ReloadFixture.start();
});
afterAll(() => fixture.close());
afterEach(() => fixture.endTest());

const decline = { declined: 'insufficient_funds' };
const failed = { status: 'failed', failure_code: 'insufficient_funds' };

describe('a declined card', () => {
  it('is retried automatically after the configured time, and not before', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push(decline);
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      failures: 1,
      waits: true,
      wanted: true,
      orders: [failed],
      mails: ['reload_declined'],
    });
    await spend(fixture.harness, person.key, 1n);
    await fixture.run();
    await fixture.run(fixture.other);
    expect((await fixture.state(person)).orders).toHaveLength(1);
    await fixture.passTime();
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_AFTER_RELOAD - 1n,
      failures: 0,
      waits: false,
      wanted: false,
      orders: [failed, { status: 'paid' }],
      mails: ['reload_declined'],
    });
  });

  it('is reported to the webhooks of the account', async () => {
    const person = await fixture.createLowPerson();
    const { key } = person;
    const json = { url: 'https://example.com/hooks', events: ['auto_recharge.failed'] };
    const { id } = (await fixture.harness.request('POST', '/v1/webhooks', { key, json })).body;
    fixture.payments.outcomes.push(decline);
    await fixture.run();
    const path = `/v1/webhooks/${id}/deliveries`;
    const { deliveries } = (await fixture.harness.request('GET', path, { key })).body;
    expect(deliveries).toHaveLength(1);
    const one = await fixture.harness.request('GET', `${path}/${deliveries[0].id}`, { key });
    expect(one.body.payload).toMatchObject({
      type: 'auto_recharge.failed',
      data: { account_id: person.accountId, reason: 'declined', code: 'insufficient_funds', stopped: false },
    });
  });

  it('switches auto-recharge off after three declines in a row, until a person switches it on again @A21', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push(decline, decline, decline);
    for (let i = 0; i < 3; i++) {
      await fixture.run();
      await fixture.passTime();
    }
    const stopped = {
      enabled: false,
      stopped: true,
      failures: 3,
      wanted: false,
      orders: [failed, failed, failed],
      mails: ['reload_declined', 'reload_declined', 'reload_stopped'],
    };
    expect(await fixture.state(person)).toMatchObject({ ...stopped, balance: BALANCE_BELOW_THRESHOLD });
    await spend(fixture.harness, person.key, 1n);
    const before = fixture.payments.requestCount;
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ ...stopped, balance: BALANCE_BELOW_THRESHOLD - 1n });
    expect(fixture.payments.requestCount).toBe(before);

    await fixture.harness.runtime.db.transaction((tx) =>
      resetReload(tx, person.accountId, { credits: 20_000_000n, dailyLimit: 500_000_000n }),
    );
    await fixture.set(person, 'auto_reload_enabled = true');
    expect(await fixture.state(person)).toMatchObject({ failures: 0, stopped: false });
    await spend(fixture.harness, person.key, 1n);
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({ balance: BALANCE_AFTER_RELOAD - 2n, enabled: true });
  });

  it('restarts the count after a paid reload', async () => {
    const person = await fixture.createLowPerson({ amount: 1_000_000n, threshold: 10_000_000n });
    fixture.payments.outcomes.push(decline, decline, 'paid', decline, decline, 'paid');
    for (let i = 0; i < 6; i++) {
      await fixture.run();
      await spend(fixture.harness, person.key, 1n);
      await fixture.passTime();
    }
    const state = await fixture.state(person);
    expect(state).toMatchObject({ enabled: true, failures: 0 });
    const statuses = ['failed', 'failed', 'paid', 'failed', 'failed', 'paid'];
    expect(state.orders.map(({ status }) => status)).toEqual(statuses);
  });

  it.each([
    ['was lost', { lost: decline }],
    ['died with its process', { dies: decline }],
  ])('is counted once when its response %s', async (_, fate) => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push(fate);
    const before = fixture.payments.requests.length;
    const run = fixture.run();
    await expect.poll(() => fixture.payments.requests.length).toBe(before + 1);
    // It postpones the order then; a process that died does nothing more.
    if ('lost' in fate) await run;
    await fixture.passTime();
    await Promise.all([fixture.run(), fixture.run(fixture.other)]);
    const mails = ['reload_declined'];
    expect(await fixture.state(person)).toMatchObject({ failures: 1, orders: [failed], mails });
  });

  it('is counted once when its response was lost and the idempotency key has expired', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push({ lost: decline });
    await fixture.run();
    fixture.payments.forgetKeys();
    await fixture.age(person, '30 hours');
    await fixture.passTime();
    const before = fixture.payments.requests.length;
    await fixture.run();
    const orders = [{ status: 'failed', failure_code: 'payment_failed' }];
    expect(await fixture.state(person)).toMatchObject({ failures: 1, orders });
    expect(fixture.payments.requests).toHaveLength(before);
  });

  it('is counted when a pending payment fails later', async () => {
    const person = await fixture.createLowPerson();
    fixture.payments.outcomes.push('pending');
    await fixture.run();
    fixture.lastPayment.status = 'failed';
    await fixture.passTime();
    await fixture.run();
    const orders = [{ status: 'failed', failure_code: 'payment_failed' }];
    expect(await fixture.state(person)).toMatchObject({ failures: 1, orders });
  });
});

it('a payment that stays pending fails the reload after a day, and is credited if it is paid later', async () => {
  const person = await fixture.createLowPerson();
  fixture.payments.outcomes.push('pending');
  await fixture.run();
  const payment = fixture.lastPayment;
  await fixture.age(person, '24 hours');
  await fixture.passTime();
  await fixture.run();
  const orders = [{ status: 'failed', failure_code: 'payment_not_completed' }];
  expect(await fixture.state(person)).toMatchObject({ failures: 1, orders });
  payment.status = 'paid';
  await reconcilePayment(fixture.harness.runtime, fixture.payments, payment.id);
  expect(await fixture.state(person)).toMatchObject({
    balance: BALANCE_AFTER_RELOAD,
    failures: 0,
    orders: [{ status: 'paid' }],
  });
});
