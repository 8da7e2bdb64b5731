import { randomInt } from 'node:crypto';
import type Stripe from 'stripe';

/** The version whose shapes the objects have; a newer SDK fails to compile here first. */
export const API_VERSION: Stripe.LatestApiVersion = '2026-10-28.endive';

/** What Stripe's SDK does not know yet: the shared payment token as a seller sees it (version `….preview`). */
export interface GrantedToken {
  id: string;
  object: 'shared_payment.granted_token';
  agent_details: { network_business_profile: string | null };
  created: number;
  customer: string | null;
  deactivated_at: number | null;
  deactivated_reason: 'consumed' | 'expired' | 'resolved' | 'revoked' | null;
  livemode: false;
  payment_method_details: Pick<Stripe.PaymentMethod, 'billing_details' | 'card' | 'type'>;
  risk_details: null;
  seller_details: { network_id: string | null; external_id: string | null };
  shared_metadata: Stripe.Metadata;
  usage_details: { amount_captured: { currency: string; value: number } };
  usage_limits: { currency: string; expires_at: number; max_amount: number };
}

/** An event as it is stored, listed and sent; the SDK's own type is a union over every event there is. */
export interface StandinEvent {
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

/** One line of a checkout session. */
export interface Item {
  id: string;
  name: string;
  description: string | null;
  unitAmount: number;
  quantity: number;
}

/** Every kind of object: its shape, and what the stand-in keeps of it that the API does not show. */
export interface Kinds {
  customer: { shape: Stripe.Customer; hidden: { deleted?: true } };
  payment_method: {
    shape: Stripe.PaymentMethod;
    hidden: {
      /** The test card's number, which decides how it behaves; null for the pretend bank account. */
      number: string | null;
      detached?: true;
      /** A payment with its owner present has set it up for charges without them. */
      setUp?: true;
      /** The one answer that this card loses has been lost. */
      cut?: true;
    };
  };
  payment_intent: {
    shape: Stripe.PaymentIntent;
    hidden: {
      session?: string;
      /** The shared payment token that it was confirmed with. */
      token?: string;
      /** A bank debit on its way: when it ends, and how. */
      settles?: { at: number; outcome: 'succeeded' | 'failed' };
      returnUrl?: string;
    };
  };
  charge: { shape: Stripe.Charge; hidden: object };
  refund: { shape: Stripe.Refund; hidden: object };
  dispute: { shape: Stripe.Dispute; hidden: object };
  'checkout.session': {
    shape: Stripe.Checkout.Session;
    hidden: {
      items: Item[];
      /** In every form of its page: a post without it came from elsewhere. */
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
  event: { shape: StandinEvent; hidden: object };
}

export type Kind = keyof Kinds;
export type Shape<K extends Kind> = Kinds[K]['shape'];

/** An object with what is hidden of it. */
export interface Row<K extends Kind> {
  data: Shape<K>;
  hidden: Kinds[K]['hidden'];
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id as Stripe's look, e.g. `pi_…`; 24 letters hold 142 random bits. */
export function newStripeId(prefix: string, letters = 24): string {
  let id = `${prefix}_`;
  for (let i = 0; i < letters; i++) id += LETTERS[randomInt(LETTERS.length)];
  return id;
}

/** The id of what a field points to, expanded or not. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
