import { expect, it } from 'vitest';
import { actionEntries, idEntry, pageEntries } from './entries';
import { findMatches } from './find-matches';

const RANDOM = '01kp9vx3zq8h4m2n6r7s5t0w';

it.each([
  [`req_${RANDOM}`, null, `/dashboard/usage?request=req_${RANDOM}#calls`],
  [` req_${RANDOM} `, 'acme', `/dashboard/usage?request=req_${RANDOM}&billing=acme#calls`],
  [`call_${RANDOM}`, 'acme', `/dashboard/usage?call=call_${RANDOM}`],
  [`acct_${RANDOM}`, null, undefined],
  ['req_1', null, undefined],
])('the id “%s” with account %s leads to %s', (text, slug, href) => {
  expect(idEntry(text, slug)?.act).toEqual(href && { kind: 'go', href });
});

it.each(['invoice', 'Invoices', 'receipt', 'statement'])('“%s” finds Billing', (text) => {
  expect(findMatches(pageEntries(null), text).map(({ label }) => label)).toEqual(['Billing']);
});

it.each([null, 'acme'])('“yesterday” finds the usage of yesterday of account %s', (slug) => {
  const [found] = findMatches(actionEntries(slug), 'yesterday');
  const query = slug === null ? '?period=yesterday' : '?period=yesterday&billing=acme';
  expect(found?.act).toEqual({ kind: 'go', href: `/dashboard/usage${query}` });
});
