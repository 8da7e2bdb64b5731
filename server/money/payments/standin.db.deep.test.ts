import { it } from 'vitest';
import { checkPermutations, setUpStandin } from './testing/standin-events';

setUpStandin();

it("ends twenty permutations of the fake Stripe's events in the balance that its objects imply", () =>
  checkPermutations(20));
