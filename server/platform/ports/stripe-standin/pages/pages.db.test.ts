import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../../../kit/log';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database';
import { createStripeStandin } from '../stripe-standin';
import {
  BASE,
  type Browsed,
  browse,
  checkout,
  fieldOf,
  pay,
  ROOT,
  sdkOf,
  startWorld,
  type World,
} from '../testing/standin-world';

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

const EVIL = '"><script>alert(1)</script>';

/** Every page: says that it pretends, runs no script, shows names as text. */
function expectSafe(page: Browsed): void {
  expect(page.html).toContain(
    '<strong>Pretend payment — no money moves.</strong> This is the gateway’s stand-in for Stripe.',
  );
  expect(page.html).not.toContain('<script');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/style-src 'sha256-[^']+'/);
  expect(policy).not.toContain('unsafe');
  expect(page.headers.get('cache-control')).toBe('no-store');
}

/** A customer with two cards, a payment, and names that are markup. */
async function customer(): Promise<{ id: string; url: string }> {
  const { stripe } = world;
  const { id } = await stripe.customers.create({ email: EVIL, name: EVIL, description: EVIL });
  await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
  await stripe.paymentMethods.attach('pm_card_mastercard', { customer: id });
  await stripe.paymentIntents.create({
    amount: 1080,
    currency: 'usd',
    customer: id,
    confirm: true,
    off_session: true,
    payment_method: 'pm_card_visa',
    description: EVIL,
  });
  const portal = await stripe.billingPortal.sessions.create({
    customer: id,
    return_url: `${BASE}/dashboard/billing`,
  });
  return { id, url: portal.url };
}

/** The names of a customer's cards, and which is the default. */
async function cardsOf(id: string): Promise<{ last4: (string | undefined)[]; standard: unknown }> {
  const { data } = await world.stripe.customers.listPaymentMethods(id);
  const found = await world.stripe.customers.retrieve(id, {
    expand: ['invoice_settings.default_payment_method'],
  });
  const standard = 'invoice_settings' in found ? found.invoice_settings.default_payment_method : null;
  return {
    last4: data.map(({ card }) => card?.last4),
    standard: typeof standard === 'object' ? (standard?.card?.last4 ?? null) : standard,
  };
}

describe('every page', () => {
  test('says that it pretends, and escapes what it shows', async () => {
    const { stripe } = world;
    const evil = await checkout(stripe, {
      customer_email: EVIL,
      line_items: [
        {
          quantity: 2,
          price_data: {
            currency: 'usd',
            unit_amount: 500,
            product_data: { name: EVIL, description: EVIL },
          },
        },
      ],
    });
    const form = await browse(world, evil.url ?? '');
    expect(form.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const confirm = await pay(world, evil.url, { number: '4000000000003220', name: EVIL });
    const { url } = await customer();
    const expired = await checkout(stripe);
    await stripe.checkout.sessions.expire(expired.id);
    const pages = [
      form,
      await browse(world, `${evil.url}?card=${encodeURIComponent(EVIL)}`),
      await pay(world, evil.url, { number: EVIL, name: EVIL, expiry: EVIL, email: EVIL }),
      await pay(world, evil.url, { nonce: EVIL }),
      await browse(world, confirm.location ?? ''),
      await browse(world, `${ROOT}/checkout/${expired.id}`),
      await browse(world, `${ROOT}/checkout/nothing`),
      await browse(world, `${ROOT}/confirm/nothing`),
      await browse(world, url),
      await browse(world, `${url}?done=${encodeURIComponent(EVIL)}`),
      await browse(world, `${ROOT}/portal/nothing`),
      await browse(world, ROOT),
      await browse(world, `${ROOT}/elsewhere`),
    ];
    await pay(world, (await checkout(stripe)).url);
    for (const page of pages) expectSafe(page);
  });

  test('of a checkout shows what is bought, with labels that lead to their fields', async () => {
    const { url } = await checkout(world.stripe);
    const { html } = await browse(world, url ?? '');
    for (const text of ['$10.00 credit', '$10.00', 'Fee', '$0.80', 'Pay $10.80', 'Cancel'])
      expect(html).toContain(text);
    for (const [label, id] of [
      ['E-mail', 'email'],
      ['Card number', 'number'],
      ['Expiry', 'expiry'],
      ['CVC', 'cvc'],
      ['Name on card', 'name'],
    ])
      expect(html).toContain(`<label for="${id}">${label}</label>`);
    expect(fieldOf(html, 'number')).toBe('4242 4242 4242 4242');
    expect(fieldOf((await browse(world, `${url}?card=4000000000000002`)).html, 'number')).toBe(
      '4000 0000 0000 0002',
    );
  });
});

describe('the portal', () => {
  test('sets the default card, removes and adds cards', async () => {
    const { id, url } = await customer();
    const page = await browse(world, url);
    expect(page.html).toContain('$10.80');
    expect(page.html).toContain(`href="${BASE}/dashboard/billing"`);
    const nonce = fieldOf(page.html, 'nonce');
    const { data } = await world.stripe.customers.listPaymentMethods(id);
    const visa = data.find(({ card }) => card?.last4 === '4242')?.id ?? '';

    const chosen = await browse(world, url, { nonce, action: 'default', card: visa });
    expect(chosen.location).toBe(`${url}?done=default`);
    expect(await cardsOf(id)).toEqual({ last4: ['4444', '4242'], standard: '4242' });

    await browse(world, url, { nonce, action: 'remove', card: visa });
    expect(await cardsOf(id)).toEqual({ last4: ['4444'], standard: null });

    const fields = { nonce, action: 'add', expiry: '1/31', cvc: '123', name: 'Pat', default: 'true' };
    expect((await browse(world, url, { ...fields, number: '4242 4242 4242 4242' })).status).toBe(303);
    expect(await cardsOf(id)).toEqual({ last4: ['4242', '4444'], standard: '4242' });
    const declined = await browse(world, url, { ...fields, number: '4000000000000002' });
    expect(declined).toMatchObject({ status: 400 });
    expect(declined.html).toContain('Your card was declined.');

    const types = (await world.stripe.events.list({ limit: 100 })).data;
    const detached = types.find(({ type }) => type === 'payment_method.detached');
    expect(detached?.data).toMatchObject({
      object: { id: visa, customer: null },
      previous_attributes: { customer: id },
    });
    expect(types.some(({ type }) => type === 'customer.updated')).toBe(true);
  });

  test('touches nobody else’s cards, and takes no form of others', async () => {
    const mine = await customer();
    const other = await customer();
    const { html } = await browse(world, mine.url);
    const { data } = await world.stripe.customers.listPaymentMethods(other.id);
    await browse(world, mine.url, {
      nonce: fieldOf(html, 'nonce'),
      action: 'remove',
      card: data[0]?.id ?? '',
    });
    expect((await cardsOf(other.id)).last4).toHaveLength(2);
    expect((await browse(world, mine.url, { nonce: 'guess', action: 'remove', card: '' })).status).toBe(403);
  });

  test('closes after an hour', async () => {
    const { url } = await customer();
    await world.sql`
      update stripe_standin.objects set data = jsonb_set(data, '{created}', to_jsonb((data->>'created')::bigint - 3700))
      where id = ${url.split('/').at(-1) ?? ''}`;
    expect((await browse(world, url)).status).toBe(410);
  });
});

describe('the control panel', () => {
  test('refunds, disputes, decides and sends again', async () => {
    const { stripe } = world;
    const { id } = await stripe.paymentIntents.create({
      amount: 1080,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const { html } = await browse(world, ROOT);
    const nonce = fieldOf(html, 'nonce');
    const press = (action: string, on: string, more: Record<string, string> = {}) =>
      browse(world, `${ROOT}/`, { nonce, action, id: on, ...more });
    expect((await press('refund', id, { amount: '0.80' })).status).toBe(303);
    expect((await press('refund', id, { amount: '10.01' })).html).toContain('greater than unrefunded amount');
    expect((await press('refund', id, { amount: 'all' })).status).toBe(400);
    expect((await browse(world, ROOT)).html).toContain('$0.80 refunded');
    expect((await press('dispute', id)).status).toBe(303);
    const dispute = (await stripe.disputes.list({ payment_intent: id })).data[0];
    expect((await press('win', dispute?.id ?? '')).status).toBe(303);
    expect((await stripe.disputes.retrieve(dispute?.id ?? '')).status).toBe('won');

    const event = (await stripe.events.list({ limit: 1 })).data[0];
    await world.sql`update stripe_standin.deliveries set done_at = now()`;
    expect((await press('send', event?.id ?? '')).status).toBe(303);
    const [waiting] = await world.sql`select event_id from stripe_standin.deliveries where done_at is null`;
    expect(waiting?.event_id).toBe(event?.id);
    expect((await browse(world, `${ROOT}/`, { nonce: 'guess', action: 'send', id: '' })).status).toBe(403);
  });

  test('settles a bank transfer at once', async () => {
    const { stripe } = world;
    const { url, id } = await checkout(stripe);
    await pay(world, url, { means: 'bank' });
    const { payment_intent } = await stripe.checkout.sessions.retrieve(id);
    const nonce = fieldOf((await browse(world, ROOT)).html, 'nonce');
    await browse(world, `${ROOT}/`, { nonce, action: 'settle', id: String(payment_intent) });
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
  });

  test('exists only where nobody else can reach it, and only under names of ours', async () => {
    const closed = createStripeStandin({
      sql: world.sql,
      publicUrl: ROOT,
      deliver: async () => ({ status: 200 }),
      log: createLogger(() => undefined),
    });
    const stripe = sdkOf(closed);
    expect((await stripe.customers.create({})).id).toMatch(/^cus_/);
    const { url } = await checkout(stripe);
    expect((await browse({ standin: closed }, url ?? '')).status).toBe(200);
    for (const path of ['/', '/v1/customers', '/v1/checkout/../customers', '/checkout'])
      expect((await browse({ standin: closed }, path)).status).toBe(404);

    const ask = (host: string) =>
      world.standin.serve(new Request(`${BASE}/`, { headers: { host } })).then(({ status }) => status);
    expect(await ask('localhost:3000')).toBe(200);
    expect(await ask('gateway.test')).toBe(200);
    expect(await ask('rebound.example')).toBe(404);
  });
});
