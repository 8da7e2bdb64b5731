import { describe, expect, it } from 'vitest';
import { StreamPlaces } from './stream-places';

describe('places of streams', () => {
  it('the newest of an account takes the place of its oldest', () => {
    const places = new StreamPlaces(2, 10);
    const gone: number[] = [];
    for (const n of [1, 2, 3, 4]) expect(places.take('a', () => gone.push(n))).not.toBeNull();
    expect(gone).toEqual([1, 2]);
    expect(places.open).toBe(2);
  });

  it('no more than so many in all; one who has a place keeps it by giving up another', () => {
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
