import { it } from 'vitest';
import { checkEvents, setUpPayments } from './testing/payment-events';

setUpPayments();

it('eighty sequences of events of a payment end in the balance that the objects imply', () =>
  checkEvents(80));
