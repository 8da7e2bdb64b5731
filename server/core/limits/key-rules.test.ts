import { describe, expect, it } from 'vitest';
import { findSpendPeriod, isAllowedAddress, type KeyRules, normalizeNetwork, toNetworks } from './key-rules';

const NO_RULES: KeyRules = {
  accountQuotas: null,
  expiresAt: null,
  allowedTools: null,
  networks: null,
  rateLimits: [],
  concurrencyLimit: null,
  spendPeriod: null,
};

describe('a network', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['203.0.113.0/33', null],
    ['2001:db8::/129', null],
    ['203.0.113', null],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::FFFF:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.0/24', null],
    ['fe80::1%eth0', null],
    ['10.0.0.0/8/8', null],
    ['', null],
  ])('%j is written as %j', (text, written) => {
    expect(normalizeNetwork(text)).toBe(written);
  });

  it.each([
    ['203.0.113.255', true],
    ['::FFFF:203.0.113.255', true],
    ['203.0.114.0', false],
    ['2001:db8:ffff::1', true],
    ['2001:db7::1', false],
    ['', false],
  ])('contains %s: %s', (address, isContained) => {
    const rules = { ...NO_RULES, networks: toNetworks(['203.0.113.0/24', '2001:db8::/32']) };
    expect(isAllowedAddress(rules, address)).toBe(isContained);
  });

  it('is of one family: all of IPv6 contain no IPv4 client', () => {
    const rules = { ...NO_RULES, networks: toNetworks(['::/0']) };
    expect(isAllowedAddress(rules, '2001:db8::1')).toBe(true);
    for (const address of ['203.0.113.7', '::ffff:203.0.113.7'])
      expect(isAllowedAddress(rules, address)).toBe(false);
  });
});

describe('a spending period', () => {
  it.each([
    ['day', '2026-03-01T23:59:59.999Z', '2026-03-01', '2026-03-02'],
    ['week', '2026-03-01T23:59:59.999Z', '2026-02-23', '2026-03-02'],
    ['week', '2026-03-02T00:00:00.000Z', '2026-03-02', '2026-03-09'],
    ['month', '2026-12-31T12:00:00.000Z', '2026-12-01', '2027-01-01'],
  ] as const)('of a %s at %s is %s to %s', (period, now, start, end) => {
    const found = findSpendPeriod(period, new Date(now));
    expect([found.start, found.end]).toEqual([new Date(start), new Date(end)]);
  });
});
