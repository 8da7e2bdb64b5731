import { describe, expect, it } from 'vitest';
import {
  buy,
  checkEvents,
  checkOrders,
  deliver,
  EVENT_SETS,
  newPerson,
  payments,
  readState,
  setUpPayments,
  toEvent,
} from './testing/payment-events';

setUpPayments();

describe('events of a payment', () => {
  it('in any order, with any repetition, concurrent or not, end in the balance that its objects imply @A6 @A7 @A16', () =>
    checkEvents(6));

  // The deep suite delivers every order.
  it.each(EVENT_SETS)('of one set end in one balance in every order: %s @A7', (...set) =>
    checkOrders(set, 5),
  );

  it('never let a delayed snapshot undo a later one @A7', async () => {
    const person = await newPerson();
    const sessionId = await buy(person.key, 10);
    const paymentId = payments.complete(sessionId);
    let release = () => {};
    const fetching = new Promise<void>((started) => {
      payments.beforeFind = () => {
        started();
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
