import { describe, expect, it } from 'vitest';
import { StreamPlaces } from './stream-places';

describe('open streams', () => {
  it('replace the oldest one of their account at its limit', () => {
    const places = new StreamPlaces(2, 10);
    const gone: number[] = [];
    for (const n of [1, 2, 3, 4]) expect(places.take('a', () => gone.push(n))).not.toBeNull();
    expect(gone).toEqual([1, 2]);
    expect(places.open).toBe(2);
  });

  it('are limited in total, but an account at its own limit may still replace one', () => {
    const places = new StreamPlaces(1, 2);
    const gone: string[] = [];
    places.take('a', () => gone.push('a'));
    const leave = places.take('b', () => gone.push('b'));
    expect(places.take('c', () => undefined)).toBeNull();
    expect(places.take('a', () => undefined)).not.toBeNull();
    expect(gone).toEqual(['a']);
    leave?.();
    leave?.();
    expect(places.open).toBe(1);
    expect(places.take('c', () => undefined)).not.toBeNull();
  });
});
