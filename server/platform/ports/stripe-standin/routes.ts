import { createSession, expireSession, listLineItems } from './checkout-sessions';
import { createCustomer, deleteCustomer, findCustomer, retrieveCustomer, updateCustomer } from './customers';
import { loseDispute, openDispute, updateDispute, winDispute } from './disputes';
import { noSuch } from './errors';
import type { Params } from './form';
import { listObjects } from './lists';
import { cancelIntent, confirmIntent, createIntent, updateIntent } from './payment-intents';
import { attachMethod, detachMethod, refuseDeclined, usableMethod } from './payment-methods';
import { createPortalSession } from './portal-sessions';
import { createRefund, failRefund } from './refunds';
import { grantToken, retrieveToken, revokeToken } from './shared-payment-tokens';
import type { Reading, Work } from './work';

/** Answers a request; `id` and `inner` are the ids of its path. */
type Look = (reading: Reading, params: Params, id: string, inner: string) => Promise<object>;
type Act = (work: Work, params: Params, id: string, inner: string) => Promise<object>;

export type Route = { path: string } & ({ get: Look } | { post: Act } | { delete: Act });

/** The part of Stripe's API that the stand-in has; `:id` stands for an id. */
export const ROUTES: readonly Route[] = [
  { path: '/v1/customers', post: createCustomer },
  {
    path: '/v1/customers',
    get: ({ store }, params) => listObjects(store, 'customer', '/v1/customers', params),
  },
  { path: '/v1/customers/:id', get: (reading, _, id) => retrieveCustomer(reading, id) },
  { path: '/v1/customers/:id', post: updateCustomer },
  { path: '/v1/customers/:id', delete: (work, _, id) => deleteCustomer(work, id) },
  {
    path: '/v1/customers/:id/payment_methods',
    get: async (reading, params, id) => {
      await findCustomer(reading, id);
      return await listMethods(reading, params, id);
    },
  },
  {
    path: '/v1/customers/:id/payment_methods/:id',
    get: async ({ store }, _, id, inner) => {
      const { data } = await store.get('payment_method', inner);
      if (data.customer !== id) throw noSuch('PaymentMethod', inner, 'payment_method');
      return data;
    },
  },

  {
    path: '/v1/payment_methods',
    get: (reading, params) => listMethods(reading, params, params.need('customer')),
  },
  {
    path: '/v1/payment_methods/:id',
    get: async ({ store }, _, id) => (await store.get('payment_method', id)).data,
  },
  {
    path: '/v1/payment_methods/:id/attach',
    post: async (work, params, id) => {
      const customer = await findCustomer(work, params.need('customer'), 'customer', 400);
      const method = await usableMethod(work, id, customer.data.id);
      refuseDeclined(method);
      await attachMethod(work, method, customer.data.id);
      return method.data;
    },
  },
  {
    path: '/v1/payment_methods/:id/detach',
    post: async (work, _, id) => {
      const method = await work.store.get('payment_method', id);
      await detachMethod(work, method);
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
  { path: '/v1/checkout/sessions/:id/expire', post: (work, _, id) => expireSession(work, id) },

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
  { path: '/v1/disputes/:id/close', post: (work, _, id) => loseDispute(work, id) },

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

  { path: '/v1/shared_payment/granted_tokens/:id', get: (reading, _, id) => retrieveToken(reading, id) },
  { path: '/v1/test_helpers/shared_payment/granted_tokens', post: grantToken },
  {
    path: '/v1/test_helpers/shared_payment/granted_tokens/:id/revoke',
    post: (work, _, id) => revokeToken(work, id),
  },

  // Not Stripe's: what in life a bank does.
  { path: '/v1/test_helpers/refunds/:id/fail', post: (work, _, id) => failRefund(work, id) },
  { path: '/v1/test_helpers/disputes', post: openDispute },
  { path: '/v1/test_helpers/disputes/:id/win', post: (work, _, id) => winDispute(work, id) },
  { path: '/v1/test_helpers/disputes/:id/lose', post: (work, _, id) => loseDispute(work, id) },
];

function listMethods({ store }: Reading, params: Params, customer: string) {
  return listObjects(store, 'payment_method', `/v1/customers/${customer}/payment_methods`, params, {
    customer,
    type: params.text('type'),
  });
}
