import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { z } from 'zod';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { parseJson } from '../../kit/parse-json';

/** USDC on each network, with the domain under which its authorizations are signed. */
const NETWORKS = {
  base: {
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
  },
  'base-sepolia': {
    network: 'eip155:84532',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
  },
} as const;

/** Who is paid, through which facilitator. */
interface X402Payee {
  facilitatorUrl: string;
  payTo: string;
  network: keyof typeof NETWORKS;
  /** The key that signs tickets. */
  secret: Buffer;
  /** The URL of what is paid for. */
  resourceUrl: string;
}

/** What an offer requires. USDC has six decimals, so its units are micro-dollars. */
export interface X402Terms {
  orderId: string;
  /** The fingerprint of the call, in hex. */
  call: string;
  amount: bigint;
  expiresAt: Date;
}

/** A payment that was sent, and what could be verified of it. */
export type ReadX402 =
  | { kind: 'malformed' }
  /** Not offered by us, for another call, or altered. */
  | { kind: 'foreign' }
  | (X402Terms & {
      kind: 'genuine';
      /** Names the authorization: the token accepts its nonce once. */
      identity: string;
      payer: string;
      /** Everything that settles it, as text. */
      authorization: string;
    });

/** The result of a settlement whose answer arrived. */
export type Settled = { outcome: 'paid'; transaction: string } | { outcome: 'refused'; reason: string };

/** The x402 protocol, version 2, scheme `exact` with EIP-3009. */
export interface X402Payments {
  /** The value of PAYMENT-REQUIRED. */
  offer(terms: X402Terms, error: string): string;
  /** Parses the value of PAYMENT-SIGNATURE and checks that it pays for this call. Never throws. */
  read(header: string, call: string): ReadX402;
  /** @throws PaymentsUnavailable; nothing has happened then */
  verify(authorization: string): Promise<boolean>;
  /** @throws PaymentsUnavailable if it is unknown whether it was settled */
  settle(authorization: string): Promise<Settled>;
  /** The value of PAYMENT-RESPONSE. */
  receipt(facts: { transaction: string; payer: string }): string;
}

const MAX_TIMEOUT_SECONDS = 300;
/** Settlement waits for a block. */
const FACILITATOR_TIMEOUT_MS = 30_000;
const MAX_TRANSACTION_LENGTH = 128;

const hexSchema = (digits: number) => z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`));
const wholeSchema = z.string().regex(/^\d{1,15}$/);

/** A payment by EIP-3009. Clients may send more fields; the facilitator gets all of them. */
const paymentSchema = z.looseObject({
  x402Version: z.literal(2),
  accepted: z.looseObject({
    scheme: z.literal('exact'),
    network: z.string(),
    amount: wholeSchema,
    asset: hexSchema(40),
    payTo: hexSchema(40),
    maxTimeoutSeconds: z.number(),
    extra: z.looseObject({ ticket: z.string().max(200) }),
  }),
  payload: z.looseObject({
    signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/),
    authorization: z.looseObject({
      from: hexSchema(40),
      to: hexSchema(40),
      value: wholeSchema,
      validAfter: wholeSchema,
      validBefore: wholeSchema,
      nonce: hexSchema(64),
    }),
  }),
});

/** What is stored and settled: the payment as sent, with the requirements that we offered. */
interface Authorization {
  payment: PaymentPayload;
  requirements: PaymentRequirements;
}

type Sdk = typeof import('@x402/core/http');

/** Creates x402 for a payee. Loads its library on the first call. */
export async function openX402(payee: X402Payee): Promise<X402Payments> {
  return new X402(payee, await import('@x402/core/http'));
}

class X402 implements X402Payments {
  readonly #payee: X402Payee;
  readonly #sdk: Sdk;

  constructor(payee: X402Payee, sdk: Sdk) {
    this.#payee = payee;
    this.#sdk = sdk;
  }

  offer(terms: X402Terms, error: string): string {
    return this.#sdk.encodePaymentRequiredHeader({
      x402Version: 2,
      error,
      resource: {
        url: this.#payee.resourceUrl,
        description: 'One call of a tool',
        mimeType: 'application/json',
      },
      accepts: [this.#require(terms.amount, this.#sign(terms))],
    });
  }

  read(header: string, call: string): ReadX402 {
    const sent = parsePayment(header);
    const parsed = paymentSchema.safeParse(sent);
    if (!parsed.success) return { kind: 'malformed' };
    const { accepted, payload } = parsed.data;
    const { authorization: signed } = payload;
    const { ticket } = accepted.extra;
    const amount = BigInt(accepted.amount);
    const terms = this.#readTicket(ticket, { call, amount });
    const requirements = this.#require(amount, ticket);
    const fits =
      accepted.network === requirements.network &&
      isSame(accepted.asset, requirements.asset) &&
      isSame(accepted.payTo, requirements.payTo) &&
      isSame(signed.to, requirements.payTo) &&
      BigInt(signed.value) === amount;
    if (!terms || !fits) return { kind: 'foreign' };
    const authorization: Authorization = { payment: sent as PaymentPayload, requirements };
    return {
      kind: 'genuine',
      ...terms,
      identity: identify(requirements, signed),
      payer: signed.from,
      authorization: JSON.stringify(authorization),
    };
  }

  async verify(authorization: string): Promise<boolean> {
    const { payment, requirements } = readAuthorization(authorization);
    try {
      return (await this.#facilitator().verify(payment, requirements)).isValid;
    } catch (error) {
      // The facilitator rejected the payment with a status of its own.
      if (isNamed(error, 'VerifyError') && error.statusCode < 500) return false;
      throw unavailable(error);
    }
  }

  async settle(authorization: string): Promise<Settled> {
    const { payment, requirements } = readAuthorization(authorization);
    try {
      const { success, errorReason, transaction } = await this.#facilitator().settle(payment, requirements);
      if (success) return { outcome: 'paid', transaction: toPlain(transaction) };
      if (errorReason === UNEXPECTED) throw new Error(errorReason);
      return { outcome: 'refused', reason: toPlain(errorReason ?? 'refused') };
    } catch (error) {
      const refused = isNamed(error, 'SettleError') && error.statusCode < 500;
      if (refused && error.errorReason && error.errorReason !== UNEXPECTED)
        return { outcome: 'refused', reason: toPlain(error.errorReason) };
      throw unavailable(error);
    }
  }

  receipt({ transaction, payer }: { transaction: string; payer: string }): string {
    const { network } = NETWORKS[this.#payee.network];
    return this.#sdk.encodePaymentResponseHeader({ success: true, transaction, network, payer });
  }

  #facilitator() {
    const { facilitatorUrl: url } = this.#payee;
    return new this.#sdk.HTTPFacilitatorClient({ url, timeoutMs: FACILITATOR_TIMEOUT_MS });
  }

  #require(amount: bigint, ticket: string): PaymentRequirements {
    const { network, asset, name } = NETWORKS[this.#payee.network];
    return {
      scheme: 'exact',
      network,
      asset,
      amount: String(amount),
      payTo: this.#payee.payTo,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
      extra: { assetTransferMethod: 'eip3009', name, version: '2', ticket },
    };
  }

  /**
   * A ticket binds a payment to one order and call. It is not on the chain, where everyone can read
   * a settled authorization, so nobody else can repeat the payment.
   */
  #sign({ orderId, call, amount, expiresAt }: X402Terms): string {
    const { network, asset } = NETWORKS[this.#payee.network];
    const expires = String(expiresAt.getTime());
    const bound = [orderId, expires, call, amount, network, asset, this.#payee.payTo].join('\n');
    return `${orderId}.${expires}.${createHmac('sha256', this.#payee.secret).update(bound).digest('base64url')}`;
  }

  #readTicket(ticket: string, { call, amount }: Pick<X402Terms, 'call' | 'amount'>): X402Terms | null {
    const [, orderId, expires] = TICKET.exec(ticket) ?? [];
    if (!orderId || !expires) return null;
    const terms = { orderId, call, amount, expiresAt: new Date(Number(expires)) };
    const [given, expected] = [Buffer.from(ticket), Buffer.from(this.#sign(terms))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? terms : null;
  }
}

const TICKET = /^(topup_[0-9a-z]{26})\.(\d{13})\.[\w-]{43}$/;
/** The facilitator failed before it knew the outcome (x402 version 2, section 9). */
const UNEXPECTED = 'unexpected_settle_error';

function parsePayment(header: string): unknown {
  try {
    return parseJson(Buffer.from(header, 'base64').toString());
  } catch {
    return null;
  }
}

function readAuthorization(authorization: string): Authorization {
  // Cannot throw: `read` wrote it.
  return JSON.parse(authorization);
}

function identify(
  { network, asset }: PaymentRequirements,
  { from, nonce }: { from: string; nonce: string },
): string {
  const named = [network, asset, from, nonce].join('\n').toLowerCase();
  return `x402:${createHash('sha256').update(named).digest('hex')}`;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What the facilitator says, as it may be stored and shown. */
function toPlain(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '?').slice(0, MAX_TRANSACTION_LENGTH);
}

/** By name: the library has each class twice. */
function isNamed(
  error: unknown,
  name: string,
): error is Error & { statusCode: number; errorReason?: string } {
  return error instanceof Error && error.name === name;
}

function unavailable(cause: unknown): PaymentsUnavailable {
  return new PaymentsUnavailable('The x402 facilitator did not answer', { cause });
}
