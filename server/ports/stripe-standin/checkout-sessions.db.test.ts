import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { BASE, browse, checkout, pay, ROOT, startWorld, type World } from './testing/standin-world';

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase();
  world = startWorld(database);
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

describe('a checkout session', () => {
  test('is open and unpaid until its page is paid, then complete', async () => {
    const { stripe } = world;
    const session = await checkout(stripe);
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 1080,
      currency: 'usd',
      livemode: false,
      client_reference_id: 'order_1',
      metadata: { order: 'order_1' },
    });
    expect(session.id).toMatch(/^cs_test_/);
    expect(session.url).toBe(`${ROOT}/checkout/${session.id}`);

    const paid = await pay(world, session.url);
    expect(paid.status).toBe(303);
    expect(paid.location).toBe(`${BASE}/dashboard/billing?session=${session.id}`);

    const after = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['payment_intent.latest_charge', 'line_items'],
    });
    expect(after).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(after.payment_intent).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: 1080,
      metadata: { order: 'order_1' },
      latest_charge: {
        object: 'charge',
        amount: 1080,
        paid: true,
        payment_method_details: { card: { brand: 'visa', last4: '4242' } },
      },
    });
    expect(after.line_items?.data.map(({ amount_total }) => amount_total)).toEqual([1000, 80]);
    const again = await browse(world, session.url ?? '');
    expect(again.html).toContain('This is paid');
  });
});
