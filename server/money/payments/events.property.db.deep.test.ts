import { it } from 'vitest';
import { checkEvents, checkOrders, EVENT_SETS, setUpPayments } from './testing/payment-events';

setUpPayments();

it("ends twenty random sequences of a payment's events in the balance that its objects imply", () =>
  checkEvents(20));

it.each(EVENT_SETS)('ends one set of events in one balance in every order: %s', (...set) => checkOrders(set));
