import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Harness, startHarness } from '@/test/support/harness';
import { payCall, requestCall } from '@/test/support/paid-call-client';
import { TokenPayments } from '@/test/support/token-payments';
import { reconcile } from '../../money/reconcile/reconcile';
import { recoverTopups } from '../../money/top-ups/recover-topups';
import { FakeFacilitator } from './testing/fake-facilitator';
import { authorize, payX402, requestX402 } from './testing/x402-client';

const payments = new TokenPayments();
const facilitator = new FakeFacilitator();
let processes: Harness[];
beforeAll(async () => {
  await facilitator.start();
  const secret = 'the same secret in every process of it';
  const env = {
    PAY_PER_CALL: '1',
    X402_FACILITATOR_URL: facilitator.url,
    X402_PAY_TO: `0x${'a1'.repeat(20)}`,
    AUTH_SECRET: secret,
    CLAIM_SECRET: `${secret}, too`,
    VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const options = { fakeStripe: true, ports: { payments }, env, role: 'command' as const };
  const one = await startHarness(options);
  processes = [one, await startHarness({ ...options, peer: one })];
});
afterAll(async () => {
  for (const harness of [...(processes ?? [])].reverse()) await harness.close();
  await facilitator.close();
});

/** What happens to a paid challenge: its payment is sent, by how many at once, or it is swept. */
const steps = fc.array(
  fc.record({
    act: fc.constantFrom('send', 'send', 'sweep', 'crash'),
    times: fc.integer({ min: 1, max: 6 }),
    fault: fc.constantFrom('none', 'none', 'cut', 'down'),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Sends the payment of one challenge, and counts what it moved. */
async function createPayment(method: 'stripe' | 'x402') {
  const [one] = processes as [Harness];
  if (method === 'x402') {
    const payment = authorize(await requestX402(one));
    const orderId = String(payment.accepted.extra?.ticket).split('.')[0] ?? '';
    const { nonce } = payment.payload.authorization as { nonce: string };
    const moved = () => [...facilitator.transfers.keys()].filter((name) => name.endsWith(nonce)).length;
    return { orderId, moved, send: (harness: Harness) => payX402(harness, payment) };
  }
  const { stripe, orderId } = await requestCall(one);
  const moved = () => payments.charges.filter((charge) => charge.orderId === orderId).length;
  return {
    orderId,
    moved,
    send: (harness: Harness) => payCall(harness, stripe, { spt: `spt_${stripe.id}` }),
  };
}

it('charges a challenge once and runs its call once, in any order of repeats, faults, crashes and sweeps @A27', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('stripe' as const, 'x402' as const), steps, async (method, taken) => {
      const { orderId, moved, send } = await createPayment(method);
      const [{ runtime }] = processes as [Harness];
      const answers: Answer[] = [];
      const sendAll = async (times: number) => {
        const sent = Array.from({ length: times }, (_, n) => send(processes[n % 2] as Harness));
        answers.push(...(await Promise.all(sent)));
      };
      for (const { act, times, fault } of taken) {
        payments.fault = fault;
        facilitator.fault = fault;
        if (act === 'send') await sendAll(times);
        else if (act === 'sweep')
          await Promise.all(processes.map((harness) => recoverTopups(harness.runtime)));
        // A process died with the lease, which has expired since.
        else
          await runtime.sql`update orders set fence = 'dead', lease_expires_at = now() - interval '1 second'
            where id = ${orderId} and status = 'open'`;
      }
      payments.fault = 'none';
      facilitator.fault = 'none';
      await sendAll(3);
      const paid = answers.filter(({ status }) => status === 200);
      expect(paid.length).toBeGreaterThanOrEqual(3);
      expect(new Set(paid.map(({ body }) => JSON.stringify([body.id, body.api_key])))).toHaveProperty(
        'size',
        1,
      );
      // No answer may ask for a second payment.
      expect(answers.filter(({ status }) => status === 402)).toEqual([]);
      expect(moved()).toBe(1);
      const [books] = await runtime.sql`select
        (select count(*)::int from ledger_entries e where e.account_id = o.account_id and e.kind = 'purchase') as credits,
        (select count(*)::int from usage_records u where u.account_id = o.account_id) as calls
        from orders o where o.id = ${orderId}`;
      expect(books).toEqual({ credits: 1, calls: 1 });
    }),
    { numRuns: 6 },
  );
  expect((await reconcile((processes[0] as Harness).runtime)).differences).toEqual([]);
});

it('challenges no call that is refused after the payment, whatever limits and quotes it names @F33', async () => {
  const [one, two] = processes as [Harness, Harness];
  const cents = fc.integer({ min: 1, max: 99 });
  const request = fc.record({
    cost: cents,
    quotedCost: cents,
    limit: fc.option(cents, { nil: undefined }),
    quote: fc.constantFrom('none', 'own', 'altered'),
    method: fc.constantFrom('stripe' as const, 'x402' as const),
  });
  const spend = (cost: number) => ({
    tool: 'diagnostics',
    skill: 'spend',
    input: { amount_usd: cost / 100 },
  });
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(request, async ({ cost, quotedCost, limit, quote, method }) => {
      const quoted = await one.request('POST', '/v1/tools/call', {
        json: { ...spend(quote === 'own' ? cost : quotedCost), max_cost_usd: 0.001 },
      });
      const id: string = quoted.body.error.quote.id;
      const call = {
        ...spend(cost),
        ...(limit !== undefined && { max_cost_usd: limit / 100 }),
        ...(quote !== 'none' && { quote_id: quote === 'own' ? id : `${id}x` }),
      };
      const offer = await requestCall(one, call);
      if (!offer.answer.headers['www-authenticate']) {
        expect([400, 402]).toContain(offer.answer.status);
        return;
      }
      const answer =
        method === 'x402'
          ? await payX402(two, authorize(await requestX402(one, call)), call)
          : await payCall(two, offer.stripe, { spt: `spt_${offer.stripe.id}` }, { call });
      expect(answer).toMatchObject({ status: 200, body: { usage: { cost: cost / 100 } } });
      paid += 1;
    }),
    { numRuns: 8, examples: [[{ cost: 30, quotedCost: 30, limit: 30, quote: 'own', method: 'stripe' }]] },
  );
  expect(paid).toBeGreaterThan(0);
});
