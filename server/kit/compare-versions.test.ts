import { expect, it } from 'vitest';
import { compareVersions } from './compare-versions';

it.each([
  ['0.1.0', '0.1.0', 0],
  ['0.9.0', '0.10.0', -1],
  ['1.0.0', '0.99.9', 1],
  ['0.2.0-rc.1', '0.2.0', 0],
  ['unknown', '0.1.0', 0],
])('%s and %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});
