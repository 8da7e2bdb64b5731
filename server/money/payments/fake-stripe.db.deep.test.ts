import { it } from 'vitest';
import { checkPermutations, setUpFakeStripe } from './testing/fake-stripe-events';

setUpFakeStripe();

it("ends twenty permutations of the fake Stripe's events in the balance that its objects imply", () =>
  checkPermutations(20));
