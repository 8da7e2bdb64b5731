import type Stripe from 'stripe';
import { invalidRequest, noSuch } from './errors';
import type { Params } from './form';
import { newStripeId, type Row } from './objects';
import { emit, type Reading, type Work } from './work';

export async function createCustomer(work: Work, params: Params): Promise<Stripe.Customer> {
  const customer: Stripe.Customer = {
    id: newStripeId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: work.now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.text('description') ?? null,
    discount: null,
    email: params.text('email') ?? null,
    invoice_prefix: newStripeId('', 8).slice(1).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: params.merged('metadata'),
    name: params.text('name') ?? null,
    next_invoice_sequence: 1,
    phone: params.text('phone') ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  await work.store.insert('customer', customer, {});
  await emit(work, 'customer.created', customer);
  return customer;
}

/** @throws StripeRefusal where there is none, or it was deleted */
export async function findCustomer(
  { store }: Reading,
  id: string,
  param = 'id',
  status: 400 | 404 = 404,
): Promise<Row<'customer'>> {
  const row = await store.get('customer', id, param, status);
  if (row.hidden.deleted) throw noSuch('customer', id, param, status);
  return row;
}

export async function retrieveCustomer(
  reading: Reading,
  id: string,
): Promise<Stripe.Customer | Stripe.DeletedCustomer> {
  const { data, hidden } = await reading.store.get('customer', id);
  return hidden.deleted ? { id, object: 'customer', deleted: true } : data;
}

export async function updateCustomer(work: Work, params: Params, id: string): Promise<Stripe.Customer> {
  const row = await findCustomer(work, id);
  const previous: Record<string, unknown> = {};
  for (const field of ['email', 'name', 'description', 'phone'] as const)
    if (params.has(field)) {
      previous[field] = row.data[field] ?? null;
      row.data[field] = params.text(field) ?? null;
    }
  if (params.has('metadata')) {
    previous.metadata = row.data.metadata;
    row.data.metadata = params.merged('metadata', row.data.metadata);
  }
  const method = params.under('invoice_settings');
  if (method.has('default_payment_method')) {
    await saveDefault(work, row, method.text('default_payment_method') ?? null);
    return row.data;
  }
  await work.store.save(row);
  await emit(work, 'customer.updated', row.data, previous);
  return row.data;
}

/** Sets which card a customer's charges use when none is named; null for none. */
export async function saveDefault(
  work: Work,
  customer: Row<'customer'>,
  paymentMethodId: string | null,
): Promise<void> {
  if (paymentMethodId) {
    const method = await work.store.get('payment_method', paymentMethodId, 'default_payment_method', 400);
    if (method.data.customer !== customer.data.id)
      throw invalidRequest(
        `The customer does not have a payment method with the ID ${paymentMethodId}. The payment method must be attached to the customer.`,
        'resource_missing',
        'invoice_settings[default_payment_method]',
      );
  }
  const before = customer.data.invoice_settings;
  customer.data.invoice_settings = { ...before, default_payment_method: paymentMethodId };
  await work.store.save(customer);
  await emit(work, 'customer.updated', customer.data, { invoice_settings: before });
}

export async function deleteCustomer(work: Work, id: string): Promise<Stripe.DeletedCustomer> {
  const row = await findCustomer(work, id);
  row.hidden.deleted = true;
  await work.store.save(row);
  await emit(work, 'customer.deleted', row.data);
  return { id, object: 'customer', deleted: true };
}
