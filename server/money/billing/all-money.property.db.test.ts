import { it } from 'vitest';
import { checkMoney, setUpMoney } from './testing/money-sequences';

setUpMoney();

it('adds up the entries to the balances, to the micro-dollar, in any order of movements @A16', () =>
  checkMoney(5));
