import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WorkerPlaces } from './worker-places';

const never = new AbortController().signal;
const placesOf = () => new WorkerPlaces({ total: 3, long: 2, waiting: 2 });

/** What a promise has come to by now. */
const stateOf = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => 'has a place'), turn('waits')]);

describe('places of workers', () => {
  it('are given in order, and only to as many as there are', async () => {
    const places = placesOf();
    const [first] = await Promise.all([0, 1, 2].map(() => places.take(false, never)));
    const fourth = places.take(false, never);
    const fifth = places.take(false, never);
    expect(await stateOf(fourth)).toBe('waits');
    await expect(places.take(false, never)).rejects.toThrow('Too many calculations are waiting');
    if (first) places.leave(first);
    expect([await stateOf(fourth), await stateOf(fifth)]).toEqual(['has a place', 'waits']);
  });

  it('are kept for tasks that have just begun: long ones pass by none of them', async () => {
    const places = placesOf();
    const [one, two, three] = await Promise.all([0, 1, 2].map(() => places.take(false, never)));
    if (!one || !two || !three) throw new Error('Three places were asked for');
    expect([one, two, three].map((place) => places.becomeLong(place))).toEqual([true, true, false]);
    places.leave(three);
    const again = places.take(true, never);
    const short = places.take(false, never);
    expect([await stateOf(again), await stateOf(short)]).toEqual(['waits', 'has a place']);
    places.leave(one);
    expect(await stateOf(again)).toBe('has a place');
    expect(places.becomeLong(await again)).toBe(true);
  });

  it('are free again after whatever order of coming and going', async () => {
    const places = placesOf();
    const controller = new AbortController();
    const taken = await Promise.all([places.take(false, never), places.take(false, never)]);
    taken.push(await places.take(true, never));
    const aborted = places.take(true, controller.signal);
    controller.abort(new Error('left'));
    await expect(aborted).rejects.toThrow('left');
    for (const place of taken) places.leave(place);
    const anew = await Promise.all([places.take(true, never), places.take(true, never)]);
    expect(anew.map((place) => place.long)).toEqual([true, true]);
    expect(await stateOf(places.take(false, never))).toBe('has a place');
  });
});
