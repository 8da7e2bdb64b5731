import { it } from 'vitest';
import { checkMoney, setUpMoney } from './testing/money-sequences';

setUpMoney();

it('whatever moves money, in any order: the entries add up to the balances, to the micro-dollar, and the books agree', () =>
  checkMoney(5));
