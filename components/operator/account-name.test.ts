import { expect, it } from 'vitest';
import type { AccountRow } from '@/server/operations/operator/schema';
import { accountName } from './account-name';

const account = (facts: Partial<AccountRow>) =>
  accountName({
    type: 'personal',
    name: 'Mia',
    slug: null,
    email: 'mia@example.com',
    ...facts,
  } as AccountRow);

it('names a team by its name, not by its owner’s email address', () => {
  expect(account({ type: 'team', name: 'Research', slug: 'research' })).toBe('Research');
  expect(account({})).toBe('mia@example.com');
  expect(account({ type: 'provisional', name: 'Provisional account', email: null })).toBe(
    'Provisional account',
  );
});
