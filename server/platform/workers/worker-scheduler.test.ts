import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComputeSlot, type Rank, type SchedulerLimits, WorkerScheduler } from './worker-scheduler';

const never = new AbortController().signal;
const perRank = { paying: 99, provisional: 99, overBudget: 99 };
const placesOf = (limits: Partial<SchedulerLimits> = {}) =>
  new WorkerScheduler({ total: 3, long: 2, perAccount: 3, perRank, asleep: 0, waiting: 2, ...limits });
const ownerOf = (accountId: string, rank: Rank = 'paying') => ({ accountId, rank: () => rank });
const one = ownerOf('one');

/** The current state of a promise. */
const getState = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => 'has a place'), turn('waits')]);

describe('worker slots', () => {
  it('are assigned in order, and no more than there are', async () => {
    const places = placesOf();
    const [first] = await Promise.all([0, 1, 2].map(() => places.acquire(one, false, never)));
    const fourth = places.acquire(one, false, never);
    const fifth = places.acquire(one, false, never);
    expect(await getState(fourth)).toBe('waits');
    await expect(places.acquire(one, false, never)).rejects.toThrow('Too many calculations are waiting');
    if (first) places.release(first);
    expect([await getState(fourth), await getState(fifth)]).toEqual(['has a place', 'waits']);
  });

  it('are reserved for new tasks: long ones take none of those', async () => {
    const places = placesOf();
    const [first, two, three] = await Promise.all([0, 1, 2].map(() => places.acquire(one, false, never)));
    if (!first || !two || !three) throw new Error('Three places were asked for');
    expect([first, two, three].map((place) => places.markLong(place))).toEqual([true, true, false]);
    places.release(three);
    const again = places.acquire(one, true, never);
    const short = places.acquire(one, false, never);
    expect([await getState(again), await getState(short)]).toEqual(['waits', 'has a place']);
    places.release(first);
    expect(await getState(again)).toBe('has a place');
    expect(places.markLong(await again)).toBe(true);
  });

  it('are all free again after tasks come and go in any order', async () => {
    const places = placesOf();
    const controller = new AbortController();
    const taken = await Promise.all([places.acquire(one, false, never), places.acquire(one, false, never)]);
    taken.push(await places.acquire(one, true, never));
    const aborted = places.acquire(one, true, controller.signal);
    controller.abort(new Error('left'));
    await expect(aborted).rejects.toThrow('left');
    for (const place of taken) places.release(place);
    const again = await Promise.all([places.acquire(one, true, never), places.acquire(one, true, never)]);
    expect(again.map((place) => place.long)).toEqual([true, true]);
    expect(await getState(places.acquire(one, false, never))).toBe('has a place');
  });
});

/** Requests a slot for each name at once; `order` lists the names in the order they get one. */
function queue(places: WorkerScheduler, names: readonly string[], ranks: Record<string, Rank> = {}) {
  const order: string[] = [];
  const held: { name: string; place: ComputeSlot }[] = [];
  for (const name of names) {
    const account = name.replace(/\d+$/, '');
    void places.acquire(ownerOf(account, ranks[account]), false, never).then((place) => {
      order.push(name);
      held.push({ name, place });
    });
  }
  /** Releases the slots, the oldest first, until no task waits. */
  const drain = async () => {
    await turn();
    for (let next = held.shift(); next; next = held.shift()) {
      places.release(next.place);
      await turn();
    }
  };
  return { order, held, drain };
}

describe('worker slots shared among accounts', () => {
  it('go to the waiting accounts in turn, and in order within each @F7', async () => {
    const places = placesOf({ total: 1, waiting: 99 });
    const { order, drain } = queue(places, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
    await drain();
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('are limited per account, even if it is alone', async () => {
    const places = placesOf({ total: 8, perAccount: 4, waiting: 99 });
    const flood = queue(places, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    await turn();
    expect(flood.order).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(await getState(places.acquire(ownerOf('b'), false, never))).toBe('has a place');
  });

  it('go to paying accounts first, then to provisional ones, then to those over their budget', async () => {
    const places = placesOf({ total: 1, waiting: 99 });
    const ranks: Record<string, Rank> = { free: 'provisional', spent: 'overBudget' };
    const { order, drain } = queue(places, ['p0', 'spent1', 'free1', 'q1', 'r1', 'p1'], ranks);
    await drain();
    // Every fourth slot is offered to the lower ranks first.
    expect(order).toEqual(['p0', 'p1', 'q1', 'free1', 'r1', 'spent1']);
  });

  it('never starve a rank while a higher one always has tasks @F7', async () => {
    const places = placesOf({ total: 1, perAccount: 1, waiting: 999 });
    const payers = Array.from({ length: 40 }, (_, at) => `p${'x'.repeat(at)}`);
    const ranks: Record<string, Rank> = { free: 'provisional', spent: 'overBudget' };
    const { order, drain } = queue(places, [...payers, 'free1', 'spent1'], ranks);
    await drain();
    expect(Math.max(order.indexOf('free1'), order.indexOf('spent1'))).toBeLessThan(9);
  });

  it('are limited for all accounts of a rank together', async () => {
    const places = placesOf({ total: 8, perRank: { ...perRank, provisional: 2 }, waiting: 99 });
    const ranks: Record<string, Rank> = { a: 'provisional', b: 'provisional', c: 'provisional' };
    const free = queue(places, ['a1', 'b1', 'c1'], ranks);
    await turn();
    expect(free.order).toEqual(['a1', 'b1']);
    expect(await getState(places.acquire(one, false, never))).toBe('has a place');
  });

  it('refuse the account with the most waiting tasks if too many wait, not a new one', async () => {
    const places = placesOf({ total: 1, waiting: 3 });
    await places.acquire(one, false, never);
    const flood = Array.from({ length: 3 }, () => places.acquire(ownerOf('flood'), false, never));
    const refused = expect(flood[2]).rejects.toThrow('Too many calculations are waiting');
    const other = places.acquire(ownerOf('other'), false, never);
    await refused;
    expect(await getState(other)).toBe('waits');
  });

  it('are free while their task sleeps, unless too many sleep', async () => {
    const places = placesOf({ total: 1, perAccount: 2, asleep: 1, waiting: 99 });
    const sleeper = await places.acquire(one, false, never);
    const next = places.acquire(ownerOf('next'), false, never);
    expect(await getState(next)).toBe('waits');
    places.sleep(sleeper);
    expect(await getState(next)).toBe('has a place');
    const third = places.acquire(ownerOf('third'), false, never);
    places.sleep(await next);
    expect(await getState(third)).toBe('waits');
    places.wake(sleeper);
    places.release(sleeper);
    places.release(await next);
    expect(await getState(third)).toBe('has a place');
  });

  it('are all free at the end and never exceed the limits, whatever comes and goes @F7', async () => {
    const step = fc.record({
      account: fc.constantFrom('a', 'b', 'c', 'd'),
      act: fc.constantFrom('take', 'takeLong', 'leave', 'becomeLong', 'sleep', 'wake', 'abort'),
      at: fc.nat(20),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const ranks: Record<string, Rank> = { c: 'provisional', d: 'overBudget' };
        const limits = { total: 4, long: 3, perAccount: 2, asleep: 2, waiting: 6 };
        const places = placesOf({ ...limits, perRank: { paying: 6, provisional: 2, overBudget: 1 } });
        const held: { place: ComputeSlot; account: string }[] = [];
        const aborts: AbortController[] = [];
        const take = async (account: string, long: boolean, signal: AbortSignal) => {
          const place = await places.acquire(ownerOf(account, ranks[account]), long, signal);
          held.push({ place, account });
        };
        for (const { account, act, at } of steps) {
          const place = held[at % Math.max(held.length, 1)]?.place;
          if (act === 'take' || act === 'takeLong') {
            const controller = new AbortController();
            aborts.push(controller);
            take(account, act === 'takeLong', controller.signal).catch(() => undefined);
          } else if (act === 'abort') aborts[at % Math.max(aborts.length, 1)]?.abort(new Error('left'));
          else if (place && act === 'leave') {
            held.splice(at % held.length, 1);
            places.release(place);
          } else if (place && act === 'becomeLong') places.markLong(place);
          else if (place && act === 'sleep') places.sleep(place);
          else if (place && act === 'wake') places.wake(place);
          await turn();
          const awake = held.filter((each) => !each.place.asleep);
          expect(held.length).toBeLessThanOrEqual(limits.total + limits.asleep);
          expect(held.length - awake.length).toBeLessThanOrEqual(limits.asleep);
          for (const name of ['a', 'b', 'c', 'd'])
            expect(held.filter((each) => each.account === name).length).toBeLessThanOrEqual(2);
          expect(held.filter((each) => each.account === 'd').length).toBeLessThanOrEqual(1);
        }
        for (const controller of aborts) controller.abort(new Error('left'));
        for (const { place } of held.splice(0)) places.release(place);
        await turn();
        for (const { place } of held.splice(0)) places.release(place);
        const all = ['a', 'b', 'a', 'b'].map((name) => places.acquire(ownerOf(name), false, never));
        for (const place of all) expect(await getState(place)).toBe('has a place');
      }),
      { numRuns: 200 },
    );
  });
});
