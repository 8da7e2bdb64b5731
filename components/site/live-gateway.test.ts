import { describe, expect, it } from 'vitest';
import { readQuotas, waitText } from './live-gateway';

describe('live panel', () => {
  it('reads the remaining calls of each quota', () => {
    const headers = new Headers({
      'RateLimit-Policy': '"minute";q=60;w=60, "hour";q=1000;w=3600',
      RateLimit: '"minute";r=59;t=42, "hour";r=912;t=1800',
    });
    expect(readQuotas(headers)).toEqual([
      { name: 'minute', remaining: 59, limit: 60 },
      { name: 'hour', remaining: 912, limit: 1000 },
    ]);
    expect(readQuotas(new Headers())).toEqual([]);
  });

  it('rounds the waiting time up', () => {
    expect(waitText(1)).toBe('1 second');
    expect(waitText(40.2)).toBe('41 seconds');
    expect(waitText(601)).toBe('11 minutes');
    expect(waitText(7201)).toBe('3 hours');
    expect(waitText(Number.NaN)).toBe('a moment');
  });
});
