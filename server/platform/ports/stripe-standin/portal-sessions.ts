import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { findCustomer } from './customers';
import type { Params } from './form';
import { newStripeId } from './objects';
import type { Work } from './work';

/** A page on which a customer sees their payments and cards; it works for an hour. */
export async function createPortalSession(work: Work, params: Params): Promise<Stripe.BillingPortal.Session> {
  const customer = params.need('customer');
  await findCustomer(work, customer, 'customer', 400);
  const id = newStripeId('bps', 40);
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_standin',
    created: work.now,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.text('return_url') ?? null,
    url: `${work.publicUrl}/portal/${id}`,
  };
  await work.store.insert('billing_portal.session', session, {
    nonce: randomBytes(18).toString('base64url'),
  });
  return session;
}
