import { describe, expect, it } from 'vitest';
import { getRetryDelay } from './retry-schedule';

describe('the retry schedule', () => {
  it('grows, has jitter, and ends within 24 hours', () => {
    const delays = Array.from({ length: 12 }, (_, i) => getRetryDelay(i + 1, null, { random: 0 }));
    const made = delays.filter((delay) => delay !== null);
    expect(made).toHaveLength(10);
    expect(made[0]).toBe(5);
    expect([...made].sort((a, b) => a - b)).toEqual(made);
    expect(made.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(24 * 3_600);
    expect(getRetryDelay(1, null, { random: 1 })).toBe(4);
  });

  it('honors Retry-After in both forms, for at most an hour, and ignores nonsense', () => {
    const now = new Date('2026-11-26T00:00:00Z');
    expect(getRetryDelay(1, '120', { now })).toBe(120);
    expect(getRetryDelay(1, 'Thu, 26 Nov 2026 00:10:00 GMT', { now })).toBe(600);
    expect(getRetryDelay(1, '86400', { now })).toBe(3_600);
    expect(getRetryDelay(1, 'soon', { now, random: 0 })).toBe(5);
    expect(getRetryDelay(8, '10', { now, random: 0 })).toBe(14_400);
  });
});
