import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Challenge } from 'mppx';

/**
 * How a machine can pay: with a Stripe shared payment token, or with a sandbox proof that is free.
 */
export type MachineMethod = { name: 'stripe'; networkId: string } | { name: 'sandbox' };

/** Who requests payments. A challenge of one payee is not valid for another. */
export interface Payee {
  /** The key that signs challenges. */
  secret: string;
  /** The host of the gateway. */
  realm: string;
  /** In the order in which they are offered. */
  methods: readonly MachineMethod[];
}

/** What is bought. A challenge for one purpose is not valid for the other. */
export type Purchased =
  | {
      purpose: 'topup';
      /** The digest of the request body that is paid for. */
      digest: string;
    }
  | {
      purpose: 'call';
      /** The fingerprint of the call, in hex: over MCP there is no body of its own. */
      call: string;
      /** The credit in the total, in micro-dollars: its order is written only when it is paid. */
      credits: bigint;
    };

/** What a challenge requires. */
export interface PaymentTerms {
  orderId: string;
  totalCents: number;
  bought: Purchased;
  expiresAt: Date;
}

/** A credential that was sent, and what could be verified of it. */
export type ReadCredential =
  | { kind: 'malformed' }
  | { kind: 'unsupported' }
  /** Not issued by us, or altered. The order id, of a top-up, is unverified. */
  | { kind: 'forged'; orderId: string | null }
  | GenuineCredential;

/** A credential for a challenge that we issued. */
export interface GenuineCredential extends PaymentTerms {
  kind: 'genuine';
  challengeId: string;
  method: MachineMethod['name'];
  payload: PaymentPayload;
}

/** The payment. A proof was verified here; a token is only known to be good once it is charged. */
export type PaymentPayload =
  | { kind: 'token'; token: string }
  | { kind: 'proof'; holds: boolean }
  | { kind: 'invalid' };

/** The contents of the Payment-Receipt header. */
export interface ReceiptFacts {
  method: MachineMethod['name'];
  reference: string;
  paidAt: Date;
}

/**
 * The "Payment" HTTP scheme (draft-httpauth-payment-01). It only computes; charging is elsewhere.
 */
export interface MachinePayments {
  /** A challenge per method: as the value of WWW-Authenticate, and as objects for MCP. */
  challenge(terms: PaymentTerms): { header: string; firstId: string; challenges: object[] };
  /** Parses and verifies a credential. Never throws. */
  read(credential: string): ReadCredential;
  /** The value of the Payment-Receipt header. */
  receipt(facts: ReceiptFacts): string;
}

/** Not a secret: a sandbox payment costs nothing. */
const SANDBOX_SECRET = 'sandbox';
const MAX_TOKEN_LENGTH = 255;
const ORDER_ID = /^topup_[0-9a-z]{26}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const WHOLE = /^\d{1,15}$/;

type Sdk = typeof import('mppx');
type Stripe = typeof import('mppx/stripe');

/** Creates the scheme for a payee. Loads its library on the first call, which takes 0.4 s. */
export async function openMachinePayments(payee: Payee): Promise<MachinePayments> {
  const [sdk, stripe] = await Promise.all([import('mppx'), import('mppx/stripe')]);
  return new PaymentScheme(payee, sdk, stripe.Methods.charge, sandboxCharge(sdk));
}

/**
 * Converts a credential that was sent as an object (MCP) to the form of the Authorization header.
 * @returns one that `read` reports as malformed, if it is
 */
export async function serializeCredential(value: unknown): Promise<string> {
  const { Credential } = await import('mppx');
  try {
    return Credential.serialize(value as Parameters<typeof Credential.serialize>[0]).replace(/^Payment /, '');
  } catch {
    return '-';
  }
}

/** A method that costs nothing and only proves that the payer has read the challenge. */
function sandboxCharge({ Method, z }: Sdk) {
  return Method.from({
    name: 'sandbox',
    intent: 'charge',
    schema: {
      credential: { payload: z.object({ proof: z.string() }) },
      request: z.object({ amount: z.string(), currency: z.string() }),
    },
  });
}

class PaymentScheme implements MachinePayments {
  readonly #payee: Payee;
  readonly #sdk: Sdk;
  readonly #stripe: Stripe['Methods']['charge'];
  readonly #sandbox: ReturnType<typeof sandboxCharge>;

  constructor(
    payee: Payee,
    sdk: Sdk,
    stripe: Stripe['Methods']['charge'],
    sandbox: ReturnType<typeof sandboxCharge>,
  ) {
    this.#payee = payee;
    this.#sdk = sdk;
    this.#stripe = stripe;
    this.#sandbox = sandbox;
  }

  challenge(terms: PaymentTerms): { header: string; firstId: string; challenges: object[] } {
    const { Challenge } = this.#sdk;
    const challenges = this.#payee.methods.map((method) => this.#makeChallenge(method, terms));
    return {
      header: challenges.map((challenge) => Challenge.serialize(challenge)).join(', '),
      firstId: challenges[0]?.id ?? '',
      challenges,
    };
  }

  read(credential: string): ReadCredential {
    try {
      return this.#read(credential);
    } catch {
      return { kind: 'malformed' };
    }
  }

  receipt({ method, reference, paidAt }: ReceiptFacts): string {
    const timestamp = paidAt.toISOString();
    return this.#sdk.Receipt.serialize({ method, reference, status: 'success', timestamp });
  }

  #makeChallenge(method: MachineMethod, terms: PaymentTerms): Challenge.Challenge {
    const { Challenge } = this.#sdk;
    const common = {
      secretKey: this.#payee.secret,
      realm: this.#payee.realm,
      expires: terms.expiresAt,
      ...describePurchase(terms),
    };
    const price = { amount: String(terms.totalCents), currency: 'usd' };
    if (method.name === 'sandbox') return Challenge.fromMethod(this.#sandbox, { ...common, request: price });
    const { networkId } = method;
    const request = { ...price, decimals: 0, networkId, paymentMethodTypes: ['card'] };
    return Challenge.fromMethod(this.#stripe, { ...common, request });
  }

  #read(credential: string): ReadCredential {
    const { Challenge, Credential, PaymentRequest } = this.#sdk;
    const { challenge, payload } = Credential.deserialize(`Payment ${credential}`);
    const offered = this.#payee.methods.find(({ name }) => name === challenge.method);
    if (!offered || challenge.intent !== 'charge') return { kind: 'unsupported' };
    const meta: Meta = challenge.opaque ? PaymentRequest.deserialize(challenge.opaque) : {};
    const { id: challengeId } = challenge;
    // The id is an HMAC over the other parameters. We never request a header, so one is a forgery.
    const genuine =
      challenge.realm === this.#payee.realm &&
      challenge.header === undefined &&
      Challenge.verify(challenge, { secretKey: this.#payee.secret });
    const terms = genuine ? readTerms(challenge, meta) : null;
    if (!terms) return { kind: 'forged', orderId: parseOrderId(meta.topup) };
    const method = offered.name;
    const read = this.#readPayload(method, challengeId, payload);
    return { kind: 'genuine', ...terms, challengeId, method, payload: read };
  }

  #readPayload(method: MachineMethod['name'], challengeId: string, payload: unknown): PaymentPayload {
    if (method === 'sandbox') {
      const sent = this.#sandbox.schema.credential.payload.safeParse(payload);
      if (!sent.success) return { kind: 'invalid' };
      return { kind: 'proof', holds: isProof(sent.data.proof, challengeId) };
    }
    const sent = this.#stripe.schema.credential.payload.safeParse(payload);
    const token = sent.success ? sent.data.spt : '';
    const fits = token.length > 0 && token.length <= MAX_TOKEN_LENGTH;
    return fits ? { kind: 'token', token } : { kind: 'invalid' };
  }
}

/** The contents of `opaque`, which the client returns unchanged. */
type Meta = Record<string, unknown>;

function describePurchase({ orderId, bought }: PaymentTerms): {
  digest?: string;
  meta: Record<string, string>;
} {
  if (bought.purpose === 'topup') return { digest: bought.digest, meta: { topup: orderId } };
  return { meta: { order: orderId, call: bought.call, credits: String(bought.credits) } };
}

/** Reads the terms of a challenge that we issued; null if it has none, so we did not. */
function readTerms({ digest, expires, request }: Challenge.Challenge, meta: Meta): PaymentTerms | null {
  const { topup, order, call, credits } = meta;
  const orderId = parseOrderId(topup ?? order);
  const { amount } = request;
  if (!orderId || !expires || typeof amount !== 'string' || !WHOLE.test(amount)) return null;
  const common = { orderId, totalCents: Number(amount), expiresAt: new Date(expires) };
  if (topup !== undefined) return digest ? { ...common, bought: { purpose: 'topup', digest } } : null;
  if (typeof call !== 'string' || !FINGERPRINT.test(call)) return null;
  if (typeof credits !== 'string' || !WHOLE.test(credits)) return null;
  return { ...common, bought: { purpose: 'call', call, credits: BigInt(credits) } };
}

/** The value may be forged, so only a well-formed order id reaches the database. */
function parseOrderId(value: unknown): string | null {
  return typeof value === 'string' && ORDER_ID.test(value) ? value : null;
}

function isProof(proof: string, challengeId: string): boolean {
  const expected = createHmac('sha256', SANDBOX_SECRET).update(challengeId).digest();
  const given = Buffer.from(proof, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
