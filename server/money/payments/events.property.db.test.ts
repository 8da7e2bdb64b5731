import { describe, expect, it } from 'vitest';
import {
  buy,
  checkEvents,
  deliver,
  newPerson,
  payments,
  readState,
  setUpPayments,
  toEvent,
} from './testing/payment-events';

setUpPayments();

describe('events of a payment', () => {
  it('in any order, with any repetition, concurrent or not, end in the balance that its objects imply', () =>
    checkEvents(10));

  it.each([
    ['completed, expired, refund', 'paid', 540, ['completed', 'expired'], 5_000_000n],
    [
      'completed, async_payment_failed, refund',
      'paid',
      540,
      ['completed', 'async_payment_failed'],
      5_000_000n,
    ],
    [
      'completed, expired without a payment',
      'failed',
      0,
      ['completed', 'expired', 'async_payment_failed'],
      0n,
    ],
    ['two paid events, fully refunded', 'paid', 1080, ['completed', 'async_payment_succeeded'], 0n],
  ] as const)(
    'of one set end in one balance in every order: %s',
    async (_, status, refunded, types, credit) => {
      const about = [...types.map((type) => `checkout.session.${type}`), 'charge.refunded'];
      for (const order of permutations(about)) {
        const person = await newPerson();
        const sessionId = await buy(person.key, 10);
        const paymentId = payments.complete(sessionId, status);
        payments.objects(paymentId).refundedCents = refunded;
        for (const [at, type] of order.entries())
          await deliver({
            ...toEvent(sessionId, { what: 'pay' }, at),
            type,
            sessionId: type.startsWith('checkout') ? sessionId : null,
          });
        expect([order, await readState(person.accountId)]).toEqual([
          order,
          { balance: credit, held: 0n, debt: 0n, disputed: false, entries: credit },
        ]);
      }
    },
  );

  it('never let a delayed snapshot undo a later one', async () => {
    const person = await newPerson();
    const sessionId = await buy(person.key, 10);
    const paymentId = payments.complete(sessionId);
    let release = () => {};
    const fetching = new Promise<void>((begun) => {
      payments.beforeFind = () => {
        begun();
        return new Promise((done) => {
          release = done;
        });
      };
    });
    const early = deliver(toEvent(sessionId, { what: 'pay' }, 0));
    await fetching;
    payments.beforeFind = async () => undefined;
    payments.objects(paymentId).refundedCents = 1080;
    await deliver(toEvent(sessionId, { what: 'refund_all' }, 1));
    release();
    await early;
    expect(await readState(person.accountId)).toMatchObject({ balance: 0n, debt: 0n, entries: 0n });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}
