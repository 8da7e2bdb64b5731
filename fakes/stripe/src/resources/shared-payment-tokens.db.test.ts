import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { BASE, catchStripeError, type Fixture, startFixture } from '../testing/fixture';

const PREVIEW = '2026-07-29.preview';

let database: TestDatabase;
let fixture: Fixture;
let stripe: Stripe;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = startFixture(database);
  stripe = fixture.stripe;
});
afterAll(async () => {
  await fixture.close();
  await database.drop();
});

const now = () => Math.floor(Date.now() / 1000);

/** Grants a token as the CLI of mppx does: form-encoded, with Basic authentication. */
async function grant(fields: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await fixture.fakeStripe.serve(
    new Request(`${BASE}/v1/test_helpers/shared_payment/granted_tokens`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${btoa(`${fixture.fakeStripe.secretKey}:`)}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        'Stripe-Version': PREVIEW,
      },
      body: new URLSearchParams({
        payment_method: 'pm_card_visa',
        'usage_limits[currency]': 'usd',
        'usage_limits[max_amount]': '1080',
        'usage_limits[expires_at]': String(now() + 600),
        'seller_details[network_id]': 'profile_fake',
        'metadata[order]': 'order_3',
        ...fields,
      }),
    }),
  );
  expect(response.headers.get('stripe-version')).toBe(PREVIEW);
  return await response.json();
}

async function grantId(fields: Record<string, string> = {}): Promise<string> {
  const { id } = await grant(fields);
  return String(id);
}

/** Charges a token as mppx does in a server. */
function charge(
  spt: string,
  amount = 1080,
  idempotencyKey = `mpp_${spt}_${amount}`,
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(
    {
      amount,
      automatic_payment_methods: { allow_redirects: 'never', enabled: true },
      confirm: true,
      currency: 'usd',
      metadata: { machine_payment: 'true' },
      // The type of the SDK lacks this field; a spread is not checked for excess fields.
      ...{ shared_payment_granted_token: spt },
    },
    { apiVersion: PREVIEW, idempotencyKey },
  );
}

async function retrieve(spt: string): Promise<unknown> {
  return await stripe.rawRequest('GET', `/v1/shared_payment/granted_tokens/${spt}`);
}

describe('a shared payment token', () => {
  it('is granted with its limits', async () => {
    const granted = await grant();
    expect(granted).toMatchObject({
      object: 'shared_payment.granted_token',
      livemode: false,
      deactivated_at: null,
      usage_limits: { currency: 'usd', max_amount: 1080 },
      seller_details: { network_id: 'profile_fake' },
      payment_method_details: { card: { last4: '4242' } },
    });
    expect(await retrieve(String(granted.id))).toMatchObject({ id: granted.id });
  });

  it('can be charged once, up to its limit', async () => {
    const spt = await grantId();
    const intent = await charge(spt);
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 1080, customer: null });
    expect(await retrieve(spt)).toMatchObject({
      deactivated_reason: 'consumed',
      usage_details: { amount_captured: { value: 1080 } },
    });
    expect((await charge(spt)).id).toBe(intent.id);
    expect(await catchStripeError(charge(spt, 1080, 'another key'))).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    });
    const events = await stripe.events.list({ limit: 100 });
    expect(events.data.map(({ type }) => String(type))).toEqual(
      expect.arrayContaining([
        'shared_payment.granted_token.used',
        'shared_payment.granted_token.deactivated',
      ]),
    );
  });

  it('can be charged as payment_method_data', async () => {
    const spt = await grantId({ 'usage_limits[max_amount]': '5000' });
    const intent: unknown = await stripe.rawRequest('POST', '/v1/payment_intents', {
      amount: 1000,
      currency: 'usd',
      confirm: true,
      payment_method_data: { shared_payment_granted_token: spt },
    });
    expect(intent).toMatchObject({ status: 'succeeded' });
    expect(await retrieve(spt)).toMatchObject({
      deactivated_at: null,
      usage_details: { amount_captured: { value: 1000 } },
    });
  });

  it('is declined above its limit, in another currency, after its expiry, and once revoked', async () => {
    expect((await catchStripeError(charge(await grantId(), 1081))).statusCode).toBe(402);
    expect(
      (await catchStripeError(charge(await grantId({ 'usage_limits[currency]': 'eur' })))).statusCode,
    ).toBe(402);

    const short = await grantId();
    await fixture.sql`
      update fake_stripe.objects
      set data = jsonb_set(data, '{usage_limits,expires_at}', to_jsonb(${now() - 1}::bigint)) where id = ${short}`;
    expect(await retrieve(short)).toMatchObject({ deactivated_reason: 'expired' });
    expect((await catchStripeError(charge(short))).statusCode).toBe(402);

    const revoked = await grantId();
    await stripe.rawRequest('POST', `/v1/test_helpers/shared_payment/granted_tokens/${revoked}/revoke`, {});
    expect((await catchStripeError(charge(revoked))).message).toContain('revoked');
    expect((await catchStripeError(charge('spt_missing'))).statusCode).toBe(400);
  });

  it('is not consumed by a decline', async () => {
    const spt = await grantId({ payment_method: 'pm_card_chargeDeclined' });
    expect(await catchStripeError(charge(spt))).toMatchObject({
      statusCode: 402,
      decline_code: 'generic_decline',
      payment_intent: { status: 'requires_payment_method' },
    });
    expect(await retrieve(spt)).toMatchObject({ deactivated_at: null });
  });

  it('requires action if its card requires authentication', async () => {
    const spt = await grantId({ payment_method: 'pm_card_authenticationRequired' });
    expect((await charge(spt)).status).toBe('requires_action');
  });

  it('returns the same payment after a dropped connection', async () => {
    const spt = await grantId({ payment_method: 'pm_card_cutAfterCharge' });
    expect(await catchStripeError(charge(spt))).toMatchObject({ type: 'StripeConnectionError' });
    const intent = await charge(spt);
    expect(intent.status).toBe('succeeded');
    expect(await retrieve(spt)).toMatchObject({ usage_details: { amount_captured: { value: 1080 } } });
  });

  it.each([
    [{ 'usage_limits[expires_at]': '1' }],
    [{ 'usage_limits[max_amount]': 'x' }],
    [{ payment_method: 'pm_nothing' }],
  ])('is not granted for %o', async (fields) => {
    expect(await grant(fields)).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});

it('the SDK does not support shared payment tokens yet', () => {
  // Once it does, `charge` above needs no spread.
  expect('sharedPayment' in new Stripe('sk_test_x')).toBe(false);
});
