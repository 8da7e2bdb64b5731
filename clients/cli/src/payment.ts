import { createHmac } from 'node:crypto';

/** A challenge of the "Payment" HTTP scheme, with all its parameters as they came. */
export type PaymentChallenge = Readonly<Record<string, string>>;

/** Pays a challenge and returns it with the payload of its method; undefined pays none. */
export type Pay = (
  challenges: readonly PaymentChallenge[],
) => Promise<Payment | undefined> | Payment | undefined;

/** A paid challenge. */
export interface Payment {
  challenge: PaymentChallenge;
  payload: Readonly<Record<string, unknown>>;
}

/** Not a secret: only gateways in test mode accept such a payment, which costs nothing. */
const SANDBOX_SECRET = 'sandbox';

/** Pays with the free proof of the `sandbox` method. */
export function paySandbox(challenges: readonly PaymentChallenge[]): Payment | undefined {
  const challenge = challenges.find(({ method }) => method === 'sandbox');
  if (challenge?.id === undefined) return undefined;
  const proof = createHmac('sha256', SANDBOX_SECRET).update(challenge.id).digest('hex');
  return { challenge, payload: { proof } };
}

/** Reads the challenges of a 402; empty if there are none. */
export function readChallenges(answer: Response): PaymentChallenge[] {
  if (answer.status !== 402) return [];
  const parts = (answer.headers.get('WWW-Authenticate') ?? '').split(/(?:^|, )Payment /).slice(1);
  return parts.map((part) => {
    const parameters = [...part.matchAll(/([a-z]+)="([^"]*)"/g)];
    return Object.fromEntries(parameters.map(([, name = '', value = '']) => [name, value]));
  });
}

/** Builds the value of the Authorization header. */
export function buildCredential(payment: Payment): string {
  return `Payment ${Buffer.from(JSON.stringify(payment)).toString('base64url')}`;
}
