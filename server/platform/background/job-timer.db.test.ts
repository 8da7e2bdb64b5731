import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { JobTimer, type RepeatingJob } from './job-timer';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'command' });
});
afterAll(() => harness.close());

const notify = () => harness.runtime.sql.notify('gateway', 'money');
const HOUR_MS = 3_600_000;

/** A job with runs that wait until they are released. */
function waitingJob(name: string, onNotice = true) {
  const rounds: (() => void)[] = [];
  let now = 0;
  let most = 0;
  const job: RepeatingJob = {
    name,
    everyMs: HOUR_MS,
    onNotice,
    run: async (_, signal) => {
      most = Math.max(most, ++now);
      await new Promise<void>((done) => {
        rounds.push(done);
        signal.addEventListener('abort', () => done());
      });
      now--;
    },
  };
  return { job, rounds, mostAtOnce: () => most };
}

async function timing(jobs: RepeatingJob[], work: (timer: JobTimer) => Promise<void>): Promise<void> {
  const timer = new JobTimer(harness.runtime, jobs);
  timer.start();
  try {
    await work(timer);
  } finally {
    await timer.stop();
  }
}

describe('background jobs', () => {
  it('run at the start and on each notice, one run at a time, and again for a notice during a run', async () => {
    const slow = waitingJob('slow');
    const other = waitingJob('other');
    await timing([slow.job, other.job], async () => {
      await expect.poll(() => [slow.rounds.length, other.rounds.length]).toEqual([1, 1]);
      await notify();
      await notify();
      other.rounds[0]?.();
      // A slow job does not delay others.
      await expect.poll(() => other.rounds.length).toBe(2);
      expect(slow.rounds).toHaveLength(1);
      slow.rounds[0]?.();
      await expect.poll(() => slow.rounds.length).toBe(2);
      expect(slow.mostAtOnce()).toBe(1);
    });
  });

  it('run again after a failure, which is logged', async () => {
    let rounds = 0;
    const job: RepeatingJob = {
      name: 'failing',
      everyMs: HOUR_MS,
      onNotice: true,
      run: async () => {
        rounds++;
        throw new Error('no luck');
      },
    };
    harness.log.length = 0;
    await timing([job], async () => {
      await expect.poll(() => rounds).toBeGreaterThanOrEqual(1);
      const before = rounds;
      await notify();
      await expect.poll(() => rounds).toBeGreaterThan(before);
    });
    const logged = harness.log.filter((line) => line.includes('money_job.failed'));
    expect(logged.map((line) => JSON.parse(line).job)).toEqual(Array(rounds).fill('failing'));
  });

  it('run at their interval, also those that no notice concerns', async () => {
    const rounds: string[] = [];
    const job = (name: string, everyMs: number, onNotice?: boolean): RepeatingJob => ({
      name,
      everyMs,
      onNotice,
      run: async () => void rounds.push(name),
    });
    await timing([job('often', 20), job('notified', HOUR_MS, true)], async () => {
      await expect.poll(() => rounds.filter((name) => name === 'often').length).toBeGreaterThan(3);
      await expect.poll(() => rounds.filter((name) => name === 'notified').length).toBeGreaterThan(0);
    });
    const before = rounds.length;
    await notify();
    await new Promise((done) => setTimeout(done, 60));
    expect(rounds).toHaveLength(before);
  });

  it('are aborted and awaited by a stop', async () => {
    const aborted = vi.fn();
    const started = vi.fn();
    const job: RepeatingJob = {
      name: 'long',
      everyMs: HOUR_MS,
      onNotice: true,
      run: (_, signal) =>
        new Promise<void>((done) => {
          started();
          signal.addEventListener('abort', () => {
            aborted();
            setTimeout(done, 20);
          });
        }).then(() => aborted()),
    };
    await timing([job], async (timer) => {
      await expect.poll(() => started.mock.calls.length).toBeGreaterThan(0);
      await timer.stop();
      expect(aborted).toHaveBeenCalledTimes(2);
    });
  });
});
