import { describe, expect, it } from 'vitest';
import { newId } from './ids';

describe('ids', () => {
  it('sort by time and are unique', () => {
    const early = newId('call', 1_000_000_000_000);
    const late = newId('call', 1_000_000_000_001);
    expect(early < late).toBe(true);
    expect(new Set(Array.from({ length: 10_000 }, () => newId('call', 5))).size).toBe(10_000);
  });

  it('start with their kind, and have at least 128 random bits for assets', () => {
    expect(newId('account')).toMatch(/^acct_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(newId('asset').length - 'asset_'.length - 10).toBeGreaterThanOrEqual(26);
  });
});
