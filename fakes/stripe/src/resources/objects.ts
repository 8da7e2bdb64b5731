import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';

/** The API version of the objects. With an SDK of another version this line does not compile. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

/**
 * A shared payment token as its seller sees it (API version `….preview`); not in Stripe's SDK yet.
 */
export interface GrantedToken {
  id: string;
  object: 'shared_payment.granted_token';
  agent_details: { network_business_profile: string | null };
  created: number;
  customer: string | null;
  deactivated_at: number | null;
  deactivated_reason: 'consumed' | 'expired' | 'resolved' | 'revoked' | null;
  livemode: false;
  payment_method_details: Pick<Stripe.PaymentMethod, 'billing_details' | 'type'> & {
    card?: Stripe.PaymentMethod.Card | undefined;
  };
  risk_details: null;
  seller_details: { network_id: string | null; external_id: string | null };
  shared_metadata: Stripe.Metadata;
  usage_details: { amount_captured: { currency: string; value: number } };
  usage_limits: { currency: string; expires_at: number; max_amount: number };
}

/** An event as stored, listed and sent. The SDK's type is a union of all events of Stripe. */
export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: EventType;
}

export type EventType =
  | `charge.${'succeeded' | 'pending' | 'failed' | 'refunded' | 'updated' | 'refund.updated'}`
  | `charge.dispute.${'created' | 'updated' | 'closed' | 'funds_withdrawn' | 'funds_reinstated'}`
  | `checkout.session.${'completed' | 'expired' | 'async_payment_succeeded' | 'async_payment_failed'}`
  | `customer.${'created' | 'updated' | 'deleted'}`
  | `payment_intent.${'created' | 'succeeded' | 'payment_failed' | 'processing' | 'requires_action' | 'canceled'}`
  | `payment_method.${'attached' | 'detached' | 'updated'}`
  | `refund.${'created' | 'updated' | 'failed'}`
  | `shared_payment.granted_token.${'used' | 'deactivated'}`;

/** A line item of a checkout session. */
export interface Item {
  id: string;
  name: string;
  description: string | null;
  unitAmount: number;
  quantity: number;
}

/** Each kind of object: its shape in the API, and its internal state in the column `hidden`. */
export interface Kinds {
  customer: { shape: Stripe.Customer; hidden: { deleted?: true } };
  payment_method: {
    shape: Stripe.PaymentMethod;
    hidden: {
      /**
       * The number of the test card, which selects its behavior; null for the test bank account.
       */
      number: string | null;
      detached?: true;
      /** An on-session payment has set it up for off-session charges. */
      setUp?: true;
      /** It has dropped the connection once, so it does not do so again. */
      cut?: true;
    };
  };
  payment_intent: {
    shape: Stripe.PaymentIntent;
    hidden: {
      session?: string;
      /** Id of the shared payment token that it was confirmed with. */
      token?: string;
      /** A bank debit in progress: when it completes, and how. */
      settles?: { at: number; outcome: 'succeeded' | 'failed' };
      returnUrl?: string | undefined;
    };
  };
  charge: { shape: Stripe.Charge; hidden: object };
  refund: { shape: Stripe.Refund; hidden: object };
  dispute: { shape: Stripe.Dispute; hidden: object };
  'checkout.session': {
    shape: Stripe.Checkout.Session;
    hidden: {
      items: Item[];
      /** In each form of its page; a request without it is a forgery. */
      nonce: string;
      intent: {
        metadata: Stripe.Metadata;
        description: string | null;
        setupFutureUsage: Stripe.PaymentIntent.SetupFutureUsage | null;
      };
    };
  };
  'billing_portal.session': { shape: Stripe.BillingPortal.Session; hidden: { nonce: string } };
  'shared_payment.granted_token': {
    shape: GrantedToken;
    hidden: { paymentMethod: string };
  };
  event: { shape: StripeEvent; hidden: object };
}

export type Kind = keyof Kinds;
export type Shape<K extends Kind> = Kinds[K]['shape'];

/** An object with its internal state. */
export interface Row<K extends Kind> {
  data: Shape<K>;
  hidden: Kinds[K]['hidden'];
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id like those of Stripe, e.g. `pi_…`; 24 letters are 142 random bits. */
export function newStripeId(prefix: string, letters = 24): string {
  let id = `${prefix}_`;
  for (let i = 0; i < letters; i++) id += LETTERS[randomInt(LETTERS.length)];
  return id;
}

/** The id in a field that may be expanded. */
export function getId(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
