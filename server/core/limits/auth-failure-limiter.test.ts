import { describe, expect, it } from 'vitest';
import { AuthFailureLimiter } from './auth-failure-limiter';

const counted = (quota: number) => {
  let seconds = 0;
  const guesses = new AuthFailureLimiter({ name: 'test', quota, message: 'Too many.', now: () => seconds });
  const refused = (ip: string) => {
    try {
      guesses.assertAllowed(ip);
      return false;
    } catch {
      return true;
    }
  };
  return { guesses, refused, later: (by: number) => (seconds += by) };
};
const hash = (n: number) => n.toString(16).padStart(64, '0').split('').reverse().join('');

describe('authentication failures', () => {
  it('are rejected after the quota until the minute is over', () => {
    const { guesses, refused, later } = counted(3);
    for (let n = 1; n <= 3; n++) {
      expect(refused('192.0.2.1')).toBe(false);
      guesses.count('192.0.2.1', hash(n));
    }
    expect(refused('192.0.2.1')).toBe(true);
    later(59);
    expect(refused('192.0.2.1')).toBe(true);
    later(1);
    expect(refused('192.0.2.1')).toBe(false);
  });

  it('are counted per network: all addresses of an IPv6 /64 together @B8', () => {
    const { guesses, refused } = counted(1);
    guesses.count('2001:db8:1:2::1', hash(1));
    expect(refused('2001:db8:1:2:ffff::9')).toBe(true);
    expect(refused('2001:db8:1:3::1')).toBe(false);
  });

  it('count once for a repeated secret', () => {
    const { guesses, refused } = counted(2);
    for (let n = 0; n < 1000; n++) guesses.count('192.0.2.1', hash(1));
    expect(refused('192.0.2.1')).toBe(false);
  });

  it('evict the oldest network when there are too many', () => {
    const { guesses, refused } = counted(1);
    for (let n = 0; n < 2001; n++) guesses.count(`10.0.${n >> 8}.${n & 255}`, hash(n));
    expect(refused('10.0.0.0')).toBe(false);
    expect(refused('10.0.0.1')).toBe(true);
    expect(refused('10.0.7.208')).toBe(true);
  });

  it('return the seconds to wait', () => {
    const { guesses, later } = counted(1);
    guesses.count('192.0.2.1', hash(1));
    later(18.5);
    expect(() => guesses.assertAllowed('192.0.2.1')).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', details: { limit: 'test', retry_after: 42 } }),
    );
  });
});
