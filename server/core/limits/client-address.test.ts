import { expect, it } from 'vitest';
import { toStoredAddress } from './client-address';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['10.0.0.1', '10.0.0.1'],
  ['203.0.113.7:52100', '203.0.113.7'],
  ['[2001:db8::1]:52100', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['', null],
  ['unknown', null],
  ['_hidden', null],
  ['203.0.113.7, 10.0.0.1', null],
  ['999.0.113.7', null],
  ['999.0.113.7:1', null],
  ['<script>', null],
  [`2001:db8::1%${'z'.repeat(60)}`, null],
])('the address %j is stored as %j', (sent, stored) => {
  expect(toStoredAddress(sent)).toBe(stored);
});
