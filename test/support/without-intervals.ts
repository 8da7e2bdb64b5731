import { vi } from 'vitest';

/**
 * Starts something without its intervals, so that it never polls and learns of changes only from
 * notifications. Tests then do not depend on timing.
 */
export async function withoutIntervals<Started>(start: () => Promise<Started>): Promise<Started> {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    return await start();
  } finally {
    vi.useRealTimers();
  }
}
