import { expect } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  createBrowserCaller,
  createPersonWithEmail,
  OPERATOR,
  openSession,
} from '@/test/support/operator-fixture';
import { withoutIntervals } from '@/test/support/without-intervals';
import { PaymentsUnavailable } from '../../../core/errors/payments-unavailable';
import { receiveEvent } from '../../../money/payments/receive-event';
import type { ToolDefinition } from '../../../tools/sdk/define-tool';

type Caller = ReturnType<typeof createBrowserCaller>;

/** Two operators, each signed in at another process of the same gateway, with fake payments. */
export interface OperatorPair {
  harness: Harness;
  other: Harness;
  payments: FakePayments;
  boss: Caller;
  second: Caller;
  /** Creates a person who has bought credit. */
  buyer(usd?: number): Promise<Buyer>;
  /** Delivers an event that fails because the provider does not respond. @returns its id */
  failedEvent(paymentId: string): Promise<string>;
  close(): Promise<void>;
}

interface Buyer {
  accountId: string;
  userId: string;
  key: string;
  keyId: string;
  paymentId: string;
  totalCents: number;
}

/** Starts the pair; call `close` in afterAll. */
export async function startOperatorPair(tools: readonly ToolDefinition[]): Promise<OperatorPair> {
  const payments = new FakePayments();
  const secondAddress = 'second@example.test';
  const env = { OPERATORS: `${OPERATOR},${secondAddress}`, ALERT_EMAILS: 'ops@example.test' };
  // The tests run the background jobs themselves.
  const options = { role: 'web', env, ports: { payments }, tools, jobs: [] } as const;
  const harness = await withoutIntervals(() => startHarness(options));
  const other = await withoutIntervals(() => startHarness({ ...options, peer: harness }));
  const deliver = async (event: { id: string; paymentId: string }) => {
    const facts = { type: 'payment_intent.succeeded', live: false, sessionId: null, customerId: null };
    const rawBody = JSON.stringify({ ...facts, ...event });
    await receiveEvent(harness.runtime, payments, { rawBody, signature: 'signed' });
  };
  return {
    harness,
    other,
    payments,
    boss: await signIn(harness, OPERATOR),
    second: await signIn(other, secondAddress),
    async buyer(usd = 10) {
      const person = await harness.person(0n);
      const paymentId = await checkOut(harness, payments, { key: person.key, usd });
      await deliver({ id: `evt_${paymentId}`, paymentId });
      return { ...person, paymentId, totalCents: payments.objects(paymentId).totalCents };
    },
    async failedEvent(paymentId) {
      const id = `evt_failed_${crypto.randomUUID().replaceAll('-', '')}`;
      payments.beforeFind = () => Promise.reject(new PaymentsUnavailable('no answer with sk_test_51secret'));
      await expect(deliver({ id, paymentId })).rejects.toThrow('no answer');
      payments.beforeFind = async () => undefined;
      return id;
    },
    async close() {
      await other.close();
      await harness.close();
    },
  };
}

async function signIn(where: Harness, email: string): Promise<Caller> {
  const { userId } = await createPersonWithEmail(where, email);
  return createBrowserCaller(where, { kind: 'session', token: await openSession(where, userId, email) });
}

/** Creates and pays a checkout; the provider sends no event yet. @returns the id of the payment */
async function checkOut(
  harness: Harness,
  payments: FakePayments,
  { key, usd }: { key: string; usd: number },
): Promise<string> {
  const asked = await harness.request('POST', '/v1/billing/checkout', { key, json: { amount_usd: usd } });
  expect(asked.status).toBe(200);
  const [order] = await harness.runtime.sql`select session_id from orders where id = ${asked.body.order_id}`;
  return payments.complete(order?.session_id);
}
