import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createFakeStripe } from '../fake-stripe';
import { type BrowsedPage, browse, createSdk, pay, readField } from '../testing/client';
import { BASE, createCheckout, type Fixture, ROOT, startFixture } from '../testing/fixture';

let database: TestDatabase;
let fixture: Fixture;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = startFixture(database);
});
afterAll(async () => {
  await fixture.close();
  await database.drop();
});

const EVIL = '"><script>alert(1)</script>';

/** Checks what holds for each page: the notice, no script, escaped text. */
function expectSafe(page: BrowsedPage): void {
  expect(page.html).toContain('<strong>Test mode: no money moves.</strong> This is a fake Stripe.');
  expect(page.html).not.toContain('<script');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/style-src 'sha256-[^']+'/);
  expect(policy).not.toContain('unsafe');
  expect(page.headers.get('cache-control')).toBe('no-store');
}

/** Creates a customer with two cards, a payment, and names that contain markup. */
async function createCustomer(): Promise<{ id: string; url: string }> {
  const { stripe } = fixture;
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

/** The last digits of a customer's cards, and of the default. */
async function readCards(id: string): Promise<{ last4: (string | undefined)[]; defaultCard: unknown }> {
  const { data } = await fixture.stripe.customers.listPaymentMethods(id);
  const found = await fixture.stripe.customers.retrieve(id, {
    expand: ['invoice_settings.default_payment_method'],
  });
  const defaultMethod = 'invoice_settings' in found ? found.invoice_settings.default_payment_method : null;
  return {
    last4: data.map(({ card }) => card?.last4),
    defaultCard: typeof defaultMethod === 'object' ? (defaultMethod?.card?.last4 ?? null) : defaultMethod,
  };
}

describe('every page', () => {
  it('shows the test mode notice, and escapes text', async () => {
    const { stripe } = fixture;
    const evil = await createCheckout(stripe, {
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
    const form = await browse(fixture.fakeStripe, evil.url ?? '');
    expect(form.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const confirm = await pay(fixture.fakeStripe, evil.url, { number: '4000000000003220', name: EVIL });
    const { url } = await createCustomer();
    const expired = await createCheckout(stripe);
    await stripe.checkout.sessions.expire(expired.id);
    const pages = [
      form,
      await browse(fixture.fakeStripe, `${evil.url}?card=${encodeURIComponent(EVIL)}`),
      await pay(fixture.fakeStripe, evil.url, { number: EVIL, name: EVIL, expiry: EVIL, email: EVIL }),
      await pay(fixture.fakeStripe, evil.url, { nonce: EVIL }),
      await browse(fixture.fakeStripe, confirm.location ?? ''),
      await browse(fixture.fakeStripe, `${ROOT}/checkout/${expired.id}`),
      await browse(fixture.fakeStripe, `${ROOT}/checkout/missing`),
      await browse(fixture.fakeStripe, `${ROOT}/confirm/missing`),
      await browse(fixture.fakeStripe, url),
      await browse(fixture.fakeStripe, `${url}?done=${encodeURIComponent(EVIL)}`),
      await browse(fixture.fakeStripe, `${ROOT}/portal/missing`),
      await browse(fixture.fakeStripe, ROOT),
      await browse(fixture.fakeStripe, `${ROOT}/missing`),
    ];
    await pay(fixture.fakeStripe, (await createCheckout(stripe)).url);
    for (const page of pages) expectSafe(page);
  });

  it('of a checkout shows the order, and labels its fields', async () => {
    const { url } = await createCheckout(fixture.stripe);
    const { html } = await browse(fixture.fakeStripe, url ?? '');
    for (const text of ['$10.00 credit', '$10.00', 'Fee', '$0.80', 'Pay $10.80', 'Cancel'])
      expect(html).toContain(text);
    for (const [label, id] of [
      ['Email', 'email'],
      ['Card number', 'number'],
      ['Expiry', 'expiry'],
      ['CVC', 'cvc'],
      ['Name on card', 'name'],
    ])
      expect(html).toContain(`<label for="${id}">${label}</label>`);
    expect(readField(html, 'number')).toBe('4242 4242 4242 4242');
    expect(readField((await browse(fixture.fakeStripe, `${url}?card=4000000000000002`)).html, 'number')).toBe(
      '4000 0000 0000 0002',
    );
  });
});

describe('the portal', () => {
  it('sets the default card, removes and adds cards', async () => {
    const { id, url } = await createCustomer();
    const page = await browse(fixture.fakeStripe, url);
    expect(page.html).toContain('$10.80');
    expect(page.html).toContain(`href="${BASE}/dashboard/billing"`);
    const nonce = readField(page.html, 'nonce');
    const { data } = await fixture.stripe.customers.listPaymentMethods(id);
    const visa = data.find(({ card }) => card?.last4 === '4242')?.id ?? '';

    const redirected = await browse(fixture.fakeStripe, url, { nonce, action: 'default', card: visa });
    expect(redirected.location).toBe(`${url}?done=default`);
    expect(await readCards(id)).toEqual({ last4: ['4444', '4242'], defaultCard: '4242' });

    await browse(fixture.fakeStripe, url, { nonce, action: 'remove', card: visa });
    expect(await readCards(id)).toEqual({ last4: ['4444'], defaultCard: null });

    const fields = { nonce, action: 'add', expiry: '1/31', cvc: '123', name: 'Pat', default: 'true' };
    expect((await browse(fixture.fakeStripe, url, { ...fields, number: '4242 4242 4242 4242' })).status).toBe(
      303,
    );
    expect(await readCards(id)).toEqual({ last4: ['4242', '4444'], defaultCard: '4242' });
    const declined = await browse(fixture.fakeStripe, url, { ...fields, number: '4000000000000002' });
    expect(declined).toMatchObject({ status: 400 });
    expect(declined.html).toContain('Your card was declined.');

    const types = (await fixture.stripe.events.list({ limit: 100 })).data;
    const detached = types.find(({ type }) => type === 'payment_method.detached');
    expect(detached?.data).toMatchObject({
      object: { id: visa, customer: null },
      previous_attributes: { customer: id },
    });
    expect(types.some(({ type }) => type === 'customer.updated')).toBe(true);
  });

  it('changes no cards of other customers, and rejects forms without its nonce', async () => {
    const mine = await createCustomer();
    const other = await createCustomer();
    const { html } = await browse(fixture.fakeStripe, mine.url);
    const { data } = await fixture.stripe.customers.listPaymentMethods(other.id);
    await browse(fixture.fakeStripe, mine.url, {
      nonce: readField(html, 'nonce'),
      action: 'remove',
      card: data[0]?.id ?? '',
    });
    expect((await readCards(other.id)).last4).toHaveLength(2);
    expect(
      (await browse(fixture.fakeStripe, mine.url, { nonce: 'guess', action: 'remove', card: '' })).status,
    ).toBe(403);
  });

  it('expires after an hour', async () => {
    const { url } = await createCustomer();
    await fixture.sql`
      update fake_stripe.objects set data = jsonb_set(data, '{created}', to_jsonb((data->>'created')::bigint - 3700))
      where id = ${url.split('/').at(-1) ?? ''}`;
    expect((await browse(fixture.fakeStripe, url)).status).toBe(410);
  });
});

describe('the control panel', () => {
  it('refunds, disputes, decides disputes and resends events', async () => {
    const { stripe } = fixture;
    const { id } = await stripe.paymentIntents.create({
      amount: 1080,
      currency: 'usd',
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const { html } = await browse(fixture.fakeStripe, ROOT);
    const nonce = readField(html, 'nonce');
    const submit = (action: string, on: string, more: Record<string, string> = {}) =>
      browse(fixture.fakeStripe, `${ROOT}/`, { nonce, action, id: on, ...more });
    expect((await submit('refund', id, { amount: '0.80' })).status).toBe(303);
    expect((await submit('refund', id, { amount: '10.01' })).html).toContain(
      'greater than unrefunded amount',
    );
    expect((await submit('refund', id, { amount: 'all' })).status).toBe(400);
    expect((await browse(fixture.fakeStripe, ROOT)).html).toContain('$0.80 refunded');
    expect((await submit('dispute', id)).status).toBe(303);
    const dispute = (await stripe.disputes.list({ payment_intent: id })).data[0];
    expect((await submit('win', dispute?.id ?? '')).status).toBe(303);
    expect((await stripe.disputes.retrieve(dispute?.id ?? '')).status).toBe('won');

    const event = (await stripe.events.list({ limit: 1 })).data[0];
    await fixture.sql`update fake_stripe.deliveries set done_at = now()`;
    expect((await submit('send', event?.id ?? '')).status).toBe(303);
    const [waiting] = await fixture.sql`select event_id from fake_stripe.deliveries where done_at is null`;
    expect(waiting?.event_id).toBe(event?.id);
    expect(
      (await browse(fixture.fakeStripe, `${ROOT}/`, { nonce: 'guess', action: 'send', id: '' })).status,
    ).toBe(403);
  });

  it('completes a bank transfer', async () => {
    const { stripe } = fixture;
    const { url, id } = await createCheckout(stripe);
    await pay(fixture.fakeStripe, url, { means: 'bank' });
    const { payment_intent } = await stripe.checkout.sessions.retrieve(id);
    const nonce = readField((await browse(fixture.fakeStripe, ROOT)).html, 'nonce');
    await browse(fixture.fakeStripe, `${ROOT}/`, { nonce, action: 'settle', id: String(payment_intent) });
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
  });

  it('is served only with openApi, and only for trusted hosts', async () => {
    const closed = createFakeStripe({
      sql: fixture.sql,
      publicUrl: ROOT,
      deliver: async () => ({ status: 200 }),
      log: { error: () => undefined },
    });
    const stripe = createSdk(closed);
    expect((await stripe.customers.create({})).id).toMatch(/^cus_/);
    const { url } = await createCheckout(stripe);
    expect((await browse(closed, url ?? '')).status).toBe(200);
    for (const path of ['/', '/v1/customers', '/v1/checkout/../customers', '/checkout'])
      expect((await browse(closed, path)).status).toBe(404);

    const getStatus = (host: string) =>
      fixture.fakeStripe.serve(new Request(`${BASE}/`, { headers: { host } })).then(({ status }) => status);
    expect(await getStatus('localhost:3000')).toBe(200);
    expect(await getStatus('gateway.test')).toBe(200);
    expect(await getStatus('rebound.example')).toBe(404);
  });
});
