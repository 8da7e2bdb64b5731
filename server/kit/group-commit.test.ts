import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit';

const turn = () => new Promise((done) => setImmediate(done));

describe('GroupCommit', () => {
  it('puts items that arrive during a flush into the next one, in order', async () => {
    const groups: number[][] = [];
    const commit = new GroupCommit<number, number>(async (items) => {
      groups.push(items);
      await turn();
      return items.map((item) => item * 2);
    });
    const first = [commit.submit(1), commit.submit(2)];
    await turn();
    const second = [commit.submit(3), commit.submit(4), commit.submit(5)];
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('splits large items over several flushes', async () => {
    const groups: number[] = [];
    const commit = new GroupCommit<string, string>(
      async (items) => {
        groups.push(items.length);
        return items;
      },
      1,
      (item) => item.length,
    );
    const large = 'x'.repeat(400_000);
    const items = [large, large, large, large.repeat(5), 'a', 'b'];
    expect(await Promise.all(items.map((item) => commit.submit(item)))).toEqual(items);
    expect(groups).toEqual([2, 1, 1, 2]);
  });

  it('limits the items per flush', async () => {
    const groups: number[] = [];
    const commit = new GroupCommit<number, number>(
      async (items) => {
        groups.push(items.length);
        return items;
      },
      1,
      undefined,
      2,
    );
    expect(await Promise.all([1, 2, 3, 4, 5].map((item) => commit.submit(item)))).toEqual([1, 2, 3, 4, 5]);
    expect(groups).toEqual([2, 2, 1]);
  });

  it('fails only the item with bad data', async () => {
    const commit = new GroupCommit<number, number>(async (items) => {
      if (items.includes(13)) throw Object.assign(new Error('bad'), { code: '22P02' });
      return items;
    });
    const results = await Promise.allSettled([commit.submit(1), commit.submit(13), commit.submit(3)]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('retries a deadlock, and rejects all items on a lost connection', async () => {
    let failures = 2;
    const commit = new GroupCommit<number, number>(async (items) => {
      if (failures-- > 0) throw Object.assign(new Error('deadlock'), { code: '40P01' });
      return items;
    });
    expect(await commit.submit(7)).toBe(7);
    const lost = new GroupCommit<number, number>(async () => {
      throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    });
    const results = await Promise.allSettled([lost.submit(1), lost.submit(2)]);
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
  });
});
