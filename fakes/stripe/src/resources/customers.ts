import type Stripe from 'stripe';
import { invalidRequest, notFound } from '../api/errors';
import type { Params } from '../api/form';
import { emit, type State, type Transaction } from '../state/transactions';
import { newStripeId, type Row } from './objects';

export async function createCustomer(tx: Transaction, params: Params): Promise<Stripe.Customer> {
  const customer: Stripe.Customer = {
    id: newStripeId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: tx.now,
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
  await tx.store.insert('customer', customer, {});
  await emit(tx, 'customer.created', customer);
  return customer;
}

/** @throws StripeApiError if there is none, or it was deleted */
export async function findCustomer(
  { store }: State,
  id: string,
  param = 'id',
  status: 400 | 404 = 404,
): Promise<Row<'customer'>> {
  const row = await store.get('customer', id, param, status);
  if (row.hidden.deleted) throw notFound('customer', id, param, status);
  return row;
}

export async function retrieveCustomer(
  state: State,
  id: string,
): Promise<Stripe.Customer | Stripe.DeletedCustomer> {
  const { data, hidden } = await state.store.get('customer', id);
  return hidden.deleted ? { id, object: 'customer', deleted: true } : data;
}

export async function updateCustomer(tx: Transaction, params: Params, id: string): Promise<Stripe.Customer> {
  const row = await findCustomer(tx, id);
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
  const method = params.nested('invoice_settings');
  if (method.has('default_payment_method')) {
    await saveDefault(tx, row, method.text('default_payment_method') ?? null);
    return row.data;
  }
  await tx.store.save(row);
  await emit(tx, 'customer.updated', row.data, previous);
  return row.data;
}

/** Sets the default payment method of a customer; null removes it. */
export async function saveDefault(
  tx: Transaction,
  customer: Row<'customer'>,
  paymentMethodId: string | null,
): Promise<void> {
  if (paymentMethodId) {
    const method = await tx.store.get('payment_method', paymentMethodId, 'default_payment_method', 400);
    if (method.data.customer !== customer.data.id)
      throw invalidRequest(
        `The customer does not have a payment method with the ID ${paymentMethodId}. The payment method must be attached to the customer.`,
        'resource_missing',
        'invoice_settings[default_payment_method]',
      );
  }
  const before = customer.data.invoice_settings;
  customer.data.invoice_settings = { ...before, default_payment_method: paymentMethodId };
  await tx.store.save(customer);
  await emit(tx, 'customer.updated', customer.data, { invoice_settings: before });
}

export async function deleteCustomer(tx: Transaction, id: string): Promise<Stripe.DeletedCustomer> {
  const row = await findCustomer(tx, id);
  row.hidden.deleted = true;
  await tx.store.save(row);
  await emit(tx, 'customer.deleted', row.data);
  return { id, object: 'customer', deleted: true };
}
