import { vi } from 'vitest';

/**
 * Starts something whose intervals never come: it does not look again by itself after some time, so it knows only what
 * it is told. How soon it knows is then a question of whether, which a busy machine does not change.
 */
export async function withoutIntervals<Started>(start: () => Promise<Started>): Promise<Started> {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    return await start();
  } finally {
    vi.useRealTimers();
  }
}
