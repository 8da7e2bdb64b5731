import { it } from 'vitest';
import { checkPermutations, setUpStandin } from './testing/standin-events';

setUpStandin();

it('twenty permutations of the events of the stand-in for Stripe end in the balance that its objects imply', () =>
  checkPermutations(20));
