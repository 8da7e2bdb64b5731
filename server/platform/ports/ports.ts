import { isNamed } from '../../core/errors/payments-unavailable';
import type { refundCompute } from '../workers/compute-spending';
import type { runInWorker } from '../workers/cpu-pool';
import type { PageBrowser } from './browser';
import type { OutboundFetch } from './outbound-fetch';

/** The time of this process. Money, limits and leases use the database's clock (threats E13). */
export interface Clock {
  now(): Date;
}

/** Stores the bytes of assets. The gateway generates the keys; clients never choose them. */
export interface BlobStore {
  put(key: string, bytes: AsyncIterable<Uint8Array>, contentType: string): Promise<{ sizeBytes: number }>;
  /** Null if nothing is stored under the key. `range` is inclusive, in bytes. */
  read(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array> | null>;
  /** Also deletes an incomplete value. A missing key is not an error. */
  delete(key: string): Promise<void>;
  /** Every key with this prefix, incomplete values included. A prefix ends in a slash. */
  list(prefix: string): AsyncIterable<string>;
}

/** The content id by which the HTML of an email shows the logo; the mailer attaches the image. */
export const LOGO_CID = 'brand-logo';

export interface EmailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly EmailAttachment[];
}

export interface EmailAttachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

export interface Mailer {
  send(message: EmailMessage): Promise<void>;
}

/** An email that the local mailer stored instead of sending it. */
export interface StoredEmail extends EmailMessage {
  id: string;
  sentAt: Date;
}

/** The local fake of a mailer: stores the last emails in memory for the inbox page. */
export interface LocalMailer extends Mailer {
  readonly messages: () => readonly StoredEmail[];
}

/**
 * Encrypts secrets at rest (AES-256-GCM). `context` is bound as associated data, so that a value
 * cannot be moved elsewhere.
 */
export interface Vault {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** The ids of all keys that can open. */
  readonly keyIds: readonly string[];
  seal(plain: string, context: string): string;
  /**
   * @throws VaultKeyMissing if the value was sealed with a key that is not configured
   * @throws Error if it is not a sealed value, was changed, or has another context
   */
  open(sealed: string, context: string): string;
}

/** A card that is saved at the provider for off-session charges. */
export interface SavedCard {
  paymentMethodId: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

/** A snapshot of one payment at the provider: everything that its credit depends on. */
export interface PaymentSnapshot {
  id: string;
  /**
   * From the metadata that we sent. It only finds the order; the credit is computed from the order.
   */
  orderId: string | null;
  status: 'pending' | 'paid' | 'failed';
  totalCents: number;
  currency: string;
  live: boolean;
  refundedCents: number;
  /** Without inquiries, which withdraw no money. */
  disputes: readonly { id: string; cents: number; state: 'open' | 'won' | 'lost' }[];
  customerId: string | null;
  card: SavedCard | null;
  /** For example `Visa •••• 4242`, for receipts. */
  paidWith: string | null;
  createdAt: Date;
}

/** The outcome of a requested charge. */
export type ChargeOutcome =
  | { outcome: 'paid' | 'pending'; paymentId: string }
  | { outcome: 'declined'; code: string; message: string; paymentId: string | null };

/** An event of the provider. It only names what changed; the state is fetched. */
export interface PaymentEvent {
  id: string;
  type: string;
  live: boolean;
  createdAt: Date;
  /** The object that the event is about, as far as the event names it. */
  paymentId: string | null;
  sessionId: string | null;
  customerId: string | null;
}

/** A value is sealed with a key that is not configured. The message is for the operator. */
export class VaultKeyMissing extends Error {
  override readonly name = 'VaultKeyMissing';

  constructor(keyId: string) {
    super(
      `A value is sealed with the vault key "${keyId}", which is not configured: add it to VAULT_KEYS_OLD`,
    );
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'VaultKeyMissing');
  }
}

/** The provider has no such customer, or deleted it. */
export class CustomerNotFound extends Error {
  override readonly name = 'CustomerGone';

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'CustomerGone');
  }
}

/** A webhook that the provider did not sign, or signed so long ago that it may be a replay. */
export class ForgedEvent extends Error {
  override readonly name = 'ForgedEvent';

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'ForgedEvent');
  }
}

/** The outcome of a requested refund; if it is unknown, PaymentsUnavailable is thrown instead. */
export type RefundOutcome =
  | { outcome: 'refunded'; providerId: string }
  | { outcome: 'refused'; message: string };

/**
 * The payment provider: Stripe, or its local fake. Amounts are whole cents of USD. Every method may
 * throw PaymentsUnavailable; creating or charging is idempotent per order.
 */
export interface Payments {
  readonly mode: 'live' | 'test' | 'fake';
  createCustomer(account: { accountId: string; email: string | null; name: string }): Promise<string>;
  createCheckout(order: {
    orderId: string;
    customerId: string;
    credits: string;
    creditCents: number;
    feeCents: number;
    /** Names the fee and its rule, next to its amount. */
    fee: string;
    saveCard: boolean;
    successUrl: string;
    cancelUrl: string;
    /** Between 30 minutes and 24 hours from now. */
    expiresAt: Date;
  }): Promise<{ sessionId: string; url: string }>;
  findCheckout(sessionId: string): Promise<{
    state: 'open' | 'complete' | 'expired';
    paymentId: string | null;
    url: string | null;
  } | null>;
  /** Expires an open checkout so that it can no longer be paid. A finished one is left as it is. */
  expireCheckout(sessionId: string): Promise<void>;
  /** Creates a page where users see their payments and remove or replace the saved card. */
  createPortal(portal: { customerId: string; returnUrl: string }): Promise<{ url: string }>;
  /** Charges a saved card off session. */
  chargeCard(charge: {
    orderId: string;
    customerId: string;
    paymentMethodId: string;
    totalCents: number;
    description: string;
  }): Promise<ChargeOutcome>;
  /** Charges a shared payment token. One `idempotencyKey` is one charge, whatever token is sent. */
  chargeToken(charge: {
    orderId: string;
    token: string;
    totalCents: number;
    description: string;
    idempotencyKey: string;
  }): Promise<ChargeOutcome>;
  /** Refunds part of a payment. One `refundId` is one refund, however often it is requested. */
  refundPayment(refund: { refundId: string; paymentId: string; cents: number }): Promise<RefundOutcome>;
  findPayment(paymentId: string): Promise<PaymentSnapshot | null>;
  /** Finds an order's payment, among those made since then, if the response was lost. */
  findPaymentOfOrder(order: {
    orderId: string;
    customerId: string | null;
    since: Date;
  }): Promise<string | null>;
  /** Payments for our orders since then, newest first. */
  listPayments(since: Date): AsyncIterable<PaymentSnapshot>;
  /** The card saved for off-session charges; null if there is none, or no such customer. */
  findSavedCard(customerId: string): Promise<SavedCard | null>;
  /** @throws ForgedEvent */
  readEvent(rawBody: string, signature: string | null): PaymentEvent;
  /** Oldest first. */
  listEvents(since: Date): AsyncIterable<PaymentEvent>;
}

/** The fake Stripe of test mode, as far as the gateway uses it. */
export interface FakeStripe {
  /** The root of its pages and its API. */
  readonly publicUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Handles requests of this process; URLs are relative to its root. */
  fetch(request: Request): Promise<Response>;
  /** Handles requests from the network, which may be limited to its hosted pages. */
  serve(request: Request): Promise<Response>;
  /** Delivers events to the webhook until `close`. */
  start(): void;
  close(): Promise<void>;
}

/** Posts an event of the fake Stripe, signed and serialized, to the gateway's webhook. */
export type DeliverEvent = (event: {
  headers: Record<string, string>;
  body: string;
}) => Promise<{ status: number }>;

/** The gateway's connections to the outside world, each replaceable by a fake. */
export interface Ports {
  clock: Clock;
  blob: BlobStore;
  /** Null in production without a mail server: sign-in by email is then unavailable. */
  mail: Mailer | null;
  /** Set only if emails are stored locally and the host is loopback; the inbox page needs it. */
  localMail: LocalMailer | null;
  vault: Vault;
  /** Null if credit is not sold: in production without a provider key. */
  payments: Payments | null;
  /** The fake Stripe, set only in test mode; its pages and API need it. */
  fakeStripe: FakeStripe | null;
  /** fetch for tools, which refuses private addresses. */
  outbound: OutboundFetch;
  /** The same, but allowed to reach this one private address, which the operator trusts. */
  outboundTo(address: string): OutboundFetch;
  /**
   * Checks the URL of a webhook before it is stored; `outbound` checks it again for each request.
   * @throws InputError with a message for the caller
   */
  checkWebhookUrl(url: URL): void;
  /** Draws pages; it can reach what `outbound` can reach. */
  browser: PageBrowser;
  /** Runs heavy work in a process of its own. */
  runInWorker: typeof runInWorker;
  refundCompute: typeof refundCompute;
}
