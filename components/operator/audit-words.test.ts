import { expect, it } from 'vitest';
import { describeAction, describeActor, describeDetail } from './audit-words';

it('labels actions, also those without a label', () => {
  expect(describeAction('account.freeze')).toBe('Account frozen');
  expect(describeAction('backup')).toBe('Backup made');
  expect(describeAction('new_area.some_act')).toBe('New area: some act');
});

it('separates the kind of an actor from the id', () => {
  expect(describeActor('user:user_1')).toEqual({ label: 'Person', id: 'user_1' });
  expect(describeActor('operator:ada@example.com')).toEqual({ label: 'Operator', id: 'ada@example.com' });
  expect(describeActor('somebody')).toEqual({ label: 'somebody', id: null });
});

it('labels the details of an entry, with their units', () => {
  expect(describeDetail('limit_usd', 5)).toBe('limit: $5.00');
  expect(describeDetail('cents', 1250)).toBe('amount: $12.50');
  expect(describeDetail('grace_seconds', 1)).toBe('grace: 1 second');
  expect(describeDetail('platform_fee_usd', 'default')).toBe('platform fee: default');
  expect(describeDetail('manages_account', false)).toBe('can manage the account: no');
  expect(describeDetail('limit_usd', null)).toBe('limit: none');
});
