import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Challenge } from 'mppx';

/** How a machine can pay: by a shared payment token of Stripe, or by a proof that costs nothing. */
export type MachineMethod = { name: 'stripe'; networkId: string } | { name: 'sandbox' };

/** Who asks for payments: challenges of one do not hold at another. */
export interface Payee {
  /** Signs challenges. */
  secret: string;
  /** The host of the gateway. */
  realm: string;
  /** Offered in this order. */
  methods: readonly MachineMethod[];
}

/** What a challenge asks for. */
export interface PaymentTerms {
  orderId: string;
  totalCents: number;
  /** Of the body that the payment is for. */
  digest: string;
  expiresAt: Date;
}

/** A credential as it was sent, as far as it can be believed. */
export type ReadCredential =
  | { kind: 'malformed' }
  | { kind: 'unsupported' }
  /** Not a challenge of ours, or no longer as we made it. The order is what it claims, and proves nothing. */
  | { kind: 'forged'; orderId: string | null }
  | {
      kind: 'genuine';
      challengeId: string;
      orderId: string;
      method: MachineMethod['name'];
      digest: string;
      payload: PaymentPayload;
    };

/** What pays. A proof was checked here; a token is only known to be good once it is charged. */
export type PaymentPayload =
  | { kind: 'token'; token: string }
  | { kind: 'proof'; holds: boolean }
  | { kind: 'invalid' };

/** What is said of a payment in the Payment-Receipt header. */
export interface ReceiptFacts {
  method: MachineMethod['name'];
  reference: string;
  paidAt: Date;
}

/** The "Payment" HTTP scheme (draft-httpauth-payment-01). Computes only: who is charged is decided elsewhere. */
export interface MachinePayments {
  /** The value of WWW-Authenticate: one challenge for each method; and the id of the first. */
  challenge(terms: PaymentTerms): { header: string; firstId: string };
  /** Never throws, whatever was sent. */
  read(credential: string): ReadCredential;
  /** The value of Payment-Receipt. */
  receipt(facts: ReceiptFacts): string;
}

/** Not a secret: whoever knows it pays nothing, which is what the sandbox is for. */
const SANDBOX_SECRET = 'sandbox';
const MAX_TOKEN_LENGTH = 255;
const ORDER_ID = /^topup_[0-9a-z]{26}$/;

type Sdk = typeof import('mppx');
type Stripe = typeof import('mppx/stripe');

/** The scheme as one payee speaks it. Loads its library with the first call: 0.4 s that a start need not wait for. */
export async function openMachinePayments(payee: Payee): Promise<MachinePayments> {
  const [sdk, stripe] = await Promise.all([import('mppx'), import('mppx/stripe')]);
  return new PaymentScheme(payee, sdk, stripe.Methods.charge, sandboxCharge(sdk));
}

/** Pays nothing: shows that the payer has read the challenge. */
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

  challenge(terms: PaymentTerms): { header: string; firstId: string } {
    const { Challenge } = this.#sdk;
    const challenges = this.#payee.methods.map((method) => this.#makeChallenge(method, terms));
    return {
      header: challenges.map((challenge) => Challenge.serialize(challenge)).join(', '),
      firstId: challenges[0]?.id ?? '',
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
      digest: terms.digest,
      expires: terms.expiresAt,
      meta: { topup: terms.orderId },
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
    const orderId = orderIdOf(challenge.opaque ? PaymentRequest.deserialize(challenge.opaque) : {});
    const { id: challengeId, digest } = challenge;
    // The id is an HMAC over every other parameter. A credential field of its own is never asked for, so none counts.
    const genuine =
      challenge.realm === this.#payee.realm &&
      challenge.header === undefined &&
      Challenge.verify(challenge, { secretKey: this.#payee.secret });
    if (!genuine || !orderId || !digest) return { kind: 'forged', orderId };
    const method = offered.name;
    const read = this.#readPayload(method, challengeId, payload);
    return { kind: 'genuine', challengeId, orderId, method, digest, payload: read };
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

/** Read from what may be forged: nothing else goes on to the database. */
function orderIdOf(opaque: Record<string, unknown>): string | null {
  const { topup } = opaque;
  return typeof topup === 'string' && ORDER_ID.test(topup) ? topup : null;
}

function isProof(proof: string, challengeId: string): boolean {
  const expected = createHmac('sha256', SANDBOX_SECRET).update(challengeId).digest();
  const given = Buffer.from(proof, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
