import { createSession, expireSession, listLineItems } from '../resources/checkout-sessions';
import {
  createCustomer,
  deleteCustomer,
  findCustomer,
  retrieveCustomer,
  updateCustomer,
} from '../resources/customers';
import { loseDispute, openDispute, updateDispute, winDispute } from '../resources/disputes';
import { cancelIntent, confirmIntent, createIntent, updateIntent } from '../resources/payment-intents';
import { attachMethod, detachMethod, requireChargeable, resolveMethod } from '../resources/payment-methods';
import { createPortalSession } from '../resources/portal-sessions';
import { createRefund, failRefund } from '../resources/refunds';
import { grantToken, retrieveToken, revokeToken } from '../resources/shared-payment-tokens';
import type { State, Transaction } from '../state/transactions';
import { notFound } from './errors';
import type { Params } from './form';
import { listObjects } from './lists';

/** `id` and `innerId` are the ids in the path. */
type ReadHandler = (state: State, params: Params, id: string, innerId: string) => Promise<object>;
type WriteHandler = (tx: Transaction, params: Params, id: string, innerId: string) => Promise<object>;

export type Route = { path: string } & (
  | { get: ReadHandler }
  | { post: WriteHandler }
  | { delete: WriteHandler }
);

/** The supported part of Stripe's API. */
export const ROUTES: readonly Route[] = [
  { path: '/v1/customers', post: createCustomer },
  {
    path: '/v1/customers',
    get: ({ store }, params) => listObjects(store, 'customer', '/v1/customers', params),
  },
  { path: '/v1/customers/:id', get: (state, _, id) => retrieveCustomer(state, id) },
  { path: '/v1/customers/:id', post: updateCustomer },
  { path: '/v1/customers/:id', delete: (tx, _, id) => deleteCustomer(tx, id) },
  {
    path: '/v1/customers/:id/payment_methods',
    get: async (state, params, id) => {
      await findCustomer(state, id);
      return await listMethods(state, params, id);
    },
  },
  {
    path: '/v1/customers/:id/payment_methods/:id',
    get: async ({ store }, _, id, innerId) => {
      const { data } = await store.get('payment_method', innerId);
      if (data.customer !== id) throw notFound('PaymentMethod', innerId, 'payment_method');
      return data;
    },
  },

  {
    path: '/v1/payment_methods',
    get: (state, params) => listMethods(state, params, params.required('customer')),
  },
  {
    path: '/v1/payment_methods/:id',
    get: async ({ store }, _, id) => (await store.get('payment_method', id)).data,
  },
  {
    path: '/v1/payment_methods/:id/attach',
    post: async (tx, params, id) => {
      const customer = await findCustomer(tx, params.required('customer'), 'customer', 400);
      const method = await resolveMethod(tx, id, customer.data.id);
      requireChargeable(method);
      await attachMethod(tx, method, customer.data.id);
      return method.data;
    },
  },
  {
    path: '/v1/payment_methods/:id/detach',
    post: async (tx, _, id) => {
      const method = await tx.store.get('payment_method', id);
      await detachMethod(tx, method);
      return method.data;
    },
  },

  { path: '/v1/checkout/sessions', post: createSession },
  {
    path: '/v1/checkout/sessions',
    get: ({ store }, params) =>
      listObjects(store, 'checkout.session', '/v1/checkout/sessions', params, {
        customer: params.text('customer'),
        payment_intent: params.text('payment_intent'),
        status: params.text('status'),
      }),
  },
  {
    path: '/v1/checkout/sessions/:id',
    get: async ({ store }, _, id) => (await store.get('checkout.session', id, 'session')).data,
  },
  { path: '/v1/checkout/sessions/:id/line_items', get: ({ store }, _, id) => listLineItems(store, id) },
  { path: '/v1/checkout/sessions/:id/expire', post: (tx, _, id) => expireSession(tx, id) },

  { path: '/v1/payment_intents', post: createIntent },
  {
    path: '/v1/payment_intents',
    get: ({ store }, params) =>
      listObjects(store, 'payment_intent', '/v1/payment_intents', params, {
        customer: params.text('customer'),
      }),
  },
  {
    path: '/v1/payment_intents/:id',
    get: async ({ store }, _, id) => (await store.get('payment_intent', id, 'intent')).data,
  },
  { path: '/v1/payment_intents/:id', post: updateIntent },
  { path: '/v1/payment_intents/:id/confirm', post: confirmIntent },
  { path: '/v1/payment_intents/:id/cancel', post: cancelIntent },

  {
    path: '/v1/charges',
    get: ({ store }, params) =>
      listObjects(store, 'charge', '/v1/charges', params, {
        customer: params.text('customer'),
        payment_intent: params.text('payment_intent'),
      }),
  },
  { path: '/v1/charges/:id', get: async ({ store }, _, id) => (await store.get('charge', id)).data },

  { path: '/v1/refunds', post: createRefund },
  {
    path: '/v1/refunds',
    get: ({ store }, params) =>
      listObjects(store, 'refund', '/v1/refunds', params, {
        charge: params.text('charge'),
        payment_intent: params.text('payment_intent'),
      }),
  },
  { path: '/v1/refunds/:id', get: async ({ store }, _, id) => (await store.get('refund', id)).data },

  {
    path: '/v1/disputes',
    get: ({ store }, params) =>
      listObjects(store, 'dispute', '/v1/disputes', params, {
        charge: params.text('charge'),
        payment_intent: params.text('payment_intent'),
      }),
  },
  { path: '/v1/disputes/:id', get: async ({ store }, _, id) => (await store.get('dispute', id)).data },
  { path: '/v1/disputes/:id', post: updateDispute },
  { path: '/v1/disputes/:id/close', post: (tx, _, id) => loseDispute(tx, id) },

  { path: '/v1/billing_portal/sessions', post: createPortalSession },

  {
    path: '/v1/events',
    get: ({ store }, params) =>
      listObjects(store, 'event', '/v1/events', params, {
        type: params.text('type'),
        types: params.has('types') ? params.list('types') : undefined,
      }),
  },
  { path: '/v1/events/:id', get: async ({ store }, _, id) => (await store.get('event', id)).data },

  { path: '/v1/shared_payment/granted_tokens/:id', get: (state, _, id) => retrieveToken(state, id) },
  { path: '/v1/test_helpers/shared_payment/granted_tokens', post: grantToken },
  {
    path: '/v1/test_helpers/shared_payment/granted_tokens/:id/revoke',
    post: (tx, _, id) => revokeToken(tx, id),
  },

  // Not in Stripe's API: simulate the bank.
  { path: '/v1/test_helpers/refunds/:id/fail', post: (tx, _, id) => failRefund(tx, id) },
  { path: '/v1/test_helpers/disputes', post: openDispute },
  { path: '/v1/test_helpers/disputes/:id/win', post: (tx, _, id) => winDispute(tx, id) },
  { path: '/v1/test_helpers/disputes/:id/lose', post: (tx, _, id) => loseDispute(tx, id) },
];

function listMethods({ store }: State, params: Params, customer: string) {
  return listObjects(store, 'payment_method', `/v1/customers/${customer}/payment_methods`, params, {
    customer,
    type: params.text('type'),
  });
}
