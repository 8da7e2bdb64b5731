import { it } from 'vitest';
import { checkMoney, setUpMoney } from './testing/money-sequences';

setUpMoney();

it('in forty sequences of whatever moves money the entries add up to the balances, and the books agree', () =>
  checkMoney(40));
