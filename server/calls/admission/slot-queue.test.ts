import { describe, expect, it } from 'vitest';
import { NO_SLOT, SlotQueue } from './slot-queue';

const later = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

describe('calls that wait for a slot of their key', () => {
  it('poll the database one at a time, with growing intervals', async () => {
    const polls: number[] = [];
    const queue = new SlotQueue(async (_, withinMs) => {
      polls.push(withinMs);
      await later(1);
    });
    let asked = 0;
    let asking = 0;
    const wait = () =>
      queue.wait('key', async () => {
        asked++;
        expect(++asking).toBe(1);
        await later(1);
        asking--;
        if (asked < 6) return NO_SLOT;
        throw new Error('stopped');
      });
    await Promise.allSettled(Array.from({ length: 20 }, wait));
    // Five polls of the first call; then each of the others is refused once.
    expect(polls).toEqual([100, 200, 400, 800, 1000]);
    expect(asked).toBe(6 + 19);
    expect(queue.hasWaiting('key')).toBe(false);
    expect(queue.empty).toBe(true);
  });

  it('get slots in first-in, first-out order, as many at once as are free', async () => {
    const queue = new SlotQueue(() => later(5));
    let free = 3;
    const order: number[] = [];
    const waits = [0, 1, 2, 3, 4].map((place) =>
      queue.wait('key', async () => (free > 0 ? free-- && order.push(place) : NO_SLOT)),
    );
    await later(20);
    expect(order).toEqual([0, 1, 2]);
    free = 2;
    await Promise.all(waits);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it('have room for fifty; other keys have their own queues, and a failing call delays no other', async () => {
    const queue = new SlotQueue(() => later(5));
    let open = false;
    const wait = (key: string) => queue.wait(key, async () => (open ? 'slot' : NO_SLOT));
    const line = Array.from({ length: 49 }, () => wait('busy'));
    expect(queue.hasRoom('busy')).toBe(true);
    line.push(wait('busy'));
    expect(queue.hasRoom('busy')).toBe(false);
    expect(queue.hasRoom('other')).toBe(true);
    await expect(queue.wait('other', () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    open = true;
    expect(await wait('other')).toBe('slot');
    expect(new Set(await Promise.all(line))).toEqual(new Set(['slot']));
    expect(queue.hasRoom('busy')).toBe(true);
  });
});
