import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getFakeStripe } from '@/test/support/buy-credit';
import { type Harness, startHarness } from '@/test/support/harness';
import { BALANCE_BELOW_THRESHOLD, ReloadFixture } from '@/test/support/reload-fixture';
import { createSessionActor } from '@/test/support/session-actor';
import { PaymentsUnavailable } from '../core/errors/payments-unavailable';
import { deleteAccount } from './delete-account';

const checkout = async (harness: Harness, key: string) =>
  (await harness.request('POST', '/v1/billing/checkout', { key, json: { amount_usd: 10 } })).body;
const fetchOrder = async ({ runtime }: Harness, id: string) =>
  (await runtime.sql`select status, payment_id from orders where id = ${id}`)[0];
const isClosed = async ({ runtime }: Harness, accountId: string) =>
  (await runtime.sql`select 1 from accounts where id = ${accountId} and closed_at is not null`).length === 1;

it('the open checkout of a deleted account can no longer be paid @F13', async () => {
  const harness = await startHarness({ fakeStripe: true, role: 'command' });
  try {
    const fakeStripe = getFakeStripe(harness);
    const person = await harness.person();
    const { url, order_id: orderId } = await checkout(harness, person.key);
    const page = url.replace('/fake-stripe/', '/');
    expect(await (await fakeStripe.serve(new Request(page))).text()).toContain('name="number"');
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await (await fakeStripe.serve(new Request(page))).text()).not.toContain('name="number"');
    expect(await fetchOrder(harness, orderId)).toEqual({ status: 'expired', payment_id: null });
  } finally {
    await harness.close();
  }
});

describe('an account with a pending payment', () => {
  let fixture: ReloadFixture;
  beforeAll(async () => {
    fixture = await ReloadFixture.start();
  });
  afterAll(() => fixture.close());

  it('is credited for a checkout that was just paid, and then deleted', async () => {
    const { harness, payments } = fixture;
    const person = await harness.person();
    const { order_id: orderId } = await checkout(harness, person.key);
    payments.complete(`cs_${orderId}`);
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await fetchOrder(harness, orderId)).toMatchObject({ status: 'paid' });
    const [{ balance_microusd: left } = {}] = await harness.runtime
      .sql`select balance_microusd from accounts where id = ${person.accountId}`;
    expect(left).toBe(10_000_000n);
  });

  it('is not deleted while its card is being charged or the provider is unavailable @F13', async () => {
    const { harness, payments } = fixture;
    const person = await fixture.createLowPerson();
    payments.outcomes.push('unreachable');
    await fixture.run();
    expect(await fixture.state(person)).toMatchObject({
      balance: BALANCE_BELOW_THRESHOLD,
      orders: [{ status: 'open' }],
    });
    await expect(deleteAccount(harness.runtime, createSessionActor(person))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'A payment for your account is still in progress.',
    });
    expect(await isClosed(harness, person.accountId)).toBe(false);
    await fixture.passTime();
    await fixture.run();
    const { order_id: orderId } = await checkout(harness, person.key);
    payments.down = true;
    await expect(deleteAccount(harness.runtime, createSessionActor(person))).rejects.toThrow(
      PaymentsUnavailable,
    );
    expect(await isClosed(harness, person.accountId)).toBe(false);
    payments.down = false;
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect(await isClosed(harness, person.accountId)).toBe(true);
    expect(await fetchOrder(harness, orderId)).toMatchObject({ status: 'expired' });
  });
});
