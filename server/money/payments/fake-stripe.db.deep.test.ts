import { it } from 'vitest';
import { checkPermutations, setUpFakeStripe } from './testing/fake-stripe-events';

setUpFakeStripe();

it("ends ten permutations of the fake Stripe's events in the balance that its objects imply", () =>
  checkPermutations(10));
