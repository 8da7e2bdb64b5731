import { it } from 'vitest';
import { checkMoney, setUpMoney } from './testing/money-sequences';

setUpMoney();

it('adds up the entries to the balances in ten random sequences of movements, with a consistent ledger', () =>
  checkMoney(10));
