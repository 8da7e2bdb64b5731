import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PACE } from '../../platform/settings/pace';
import { Notices } from './notices';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A fake driver that may lose notifications and may never answer LISTEN. */
function createDriver({ listens = true } = {}) {
  const driver = { isSilent: false, dropped: 0, pulses: 0 };
  let onNotice: ((topic: string) => void) | undefined;
  const sql = Object.assign(
    async (_statement: TemplateStringsArray, ..._values: string[]) => {
      driver.pulses++;
      if (!driver.isSilent) onNotice?.(_values[1] ?? '');
    },
    {
      listen: async (_channel: string, notice: (topic: string) => void) => {
        onNotice = notice;
        if (!listens) await new Promise(() => undefined);
      },
    },
  );
  const pool = { sql, dropListener: () => driver.dropped++ };
  const notices = new Notices(pool, () => undefined, { pulseMs: PACE.listenPulseMs });
  notices.on('tools', () => undefined);
  return { driver, notices };
}

it('keeps a connection that receives its pulse every 5 s', async () => {
  const { driver, notices } = createDriver();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(driver).toMatchObject({ dropped: 0, pulses: 12 });
  notices.close();
});

it('replaces a connection that receives no pulse within 10 s, and again 10 s later @E9', async () => {
  const { driver, notices } = createDriver();
  await vi.advanceTimersByTimeAsync(5_001);
  driver.isSilent = true;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(driver.dropped).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(driver.dropped).toBe(2);
  driver.isSilent = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(driver.dropped).toBe(2);
  notices.close();
});

it('replaces a connection that does not answer LISTEN after 5 s', async () => {
  const { driver, notices } = createDriver({ listens: false });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(driver.dropped).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(driver.dropped).toBe(1);
  notices.close();
});
