import { expect, it } from 'vitest';
import { withBilling } from './account-path';
import { accountHref } from './account-scope';

it('adds a team’s slug to a link and removes it for the personal account', () => {
  expect(withBilling('/dashboard', 'crew')).toBe('/dashboard?billing=crew');
  expect(withBilling('/dashboard?billing=crew', null)).toBe('/dashboard');
  expect(withBilling('/dashboard/usage?tool=math&billing=a', 'b')).toBe(
    '/dashboard/usage?tool=math&billing=b',
  );
  expect(withBilling('/dashboard', 'a&b=c')).toBe('/dashboard?billing=a%26b%3Dc');
});

it('switching accounts keeps the view but drops filters of the previous account', () => {
  const params = new URLSearchParams('period=7d&tool=math&key=key_1&member=user_1&call=call_1&billing=old');
  expect(accountHref('/dashboard/usage', params, 'crew')).toBe(
    '/dashboard/usage?period=7d&tool=math&billing=crew',
  );
  expect(accountHref('/dashboard/usage', params, null)).toBe('/dashboard/usage?period=7d&tool=math');
  expect(accountHref('/dashboard/jobs', params, 'crew')).toBe('/dashboard?billing=crew');
  expect(accountHref('/dashboard/billing/receipts/x', params, null)).toBe('/dashboard');
});
