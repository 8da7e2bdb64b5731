import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRefresher } from './refresher';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createRefresher', () => {
  it('refreshes at once, then at most once a second, and again after changes during a refresh', async () => {
    const rounds: string[] = [];
    const { notify } = createRefresher(async (name: 'a' | 'b') => {
      rounds.push(name);
      return false;
    });
    notify(['a', 'b']);
    notify(['a']);
    notify(['a']);
    await vi.advanceTimersByTimeAsync(10);
    expect(rounds).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rounds).toEqual(['a', 'b', 'a']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(rounds).toHaveLength(3);
    notify(['b']);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds.at(-1)).toBe('b');
  });

  it('repeats a refresh that found a request in flight, slows down for slow responses, and stops when ended', async () => {
    let rounds = 0;
    const { notify, end } = createRefresher(async (_: 'a') => {
      rounds++;
      await new Promise((done) => setTimeout(done, 1_000));
      return rounds === 1;
    });
    notify(['a']);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(rounds).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(rounds).toBe(2);
    notify(['a']);
    end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rounds).toBe(2);
  });
});
