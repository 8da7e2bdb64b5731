import { it } from 'vitest';
import { checkEvents, setUpPayments } from './testing/payment-events';

setUpPayments();

it("ends eighty random sequences of a payment's events in the balance that its objects imply", () =>
  checkEvents(80));
