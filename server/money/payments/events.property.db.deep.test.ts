import { it } from 'vitest';
import { checkEvents, checkOrders, EVENT_SETS, setUpPayments } from './testing/payment-events';

setUpPayments();

it("ends forty random sequences of a payment's events in the balance that its objects imply", () =>
  checkEvents(40));

it.each(EVENT_SETS)('ends one set of events in one balance in every order: %s', (...set) => checkOrders(set));
