import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { Params } from '../api/form';
import type { Transaction } from '../state/transactions';
import { findCustomer } from './customers';
import { newStripeId } from './objects';

/** Creates a page where a customer sees their payments and manages their cards for an hour. */
export async function createPortalSession(
  tx: Transaction,
  params: Params,
): Promise<Stripe.BillingPortal.Session> {
  const customer = params.required('customer');
  await findCustomer(tx, customer, 'customer', 400);
  const id = newStripeId('bps', 40);
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: 'bpc_fake',
    created: tx.now,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: params.text('return_url') ?? null,
    url: `${tx.publicUrl}/portal/${id}`,
  };
  await tx.store.insert('billing_portal.session', session, {
    nonce: randomBytes(18).toString('base64url'),
  });
  return session;
}
