import { describe, expect, it } from 'vitest';
import { StreamLimiter } from './stream-limiter';

describe('open streams', () => {
  it('replace the oldest one of their account at its limit', () => {
    const places = new StreamLimiter(2, 10);
    const gone: number[] = [];
    for (const n of [1, 2, 3, 4]) expect(places.tryAcquire('a', () => gone.push(n))).not.toBeNull();
    expect(gone).toEqual([1, 2]);
    expect(places.open).toBe(2);
  });

  it('are limited in total, but an account at its own limit may still replace one', () => {
    const places = new StreamLimiter(1, 2);
    const gone: string[] = [];
    places.tryAcquire('a', () => gone.push('a'));
    const leave = places.tryAcquire('b', () => gone.push('b'));
    expect(places.tryAcquire('c', () => undefined)).toBeNull();
    expect(places.tryAcquire('a', () => undefined)).not.toBeNull();
    expect(gone).toEqual(['a']);
    leave?.();
    leave?.();
    expect(places.open).toBe(1);
    expect(places.tryAcquire('c', () => undefined)).not.toBeNull();
  });
});
