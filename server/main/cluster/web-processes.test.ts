import { expect, it } from 'vitest';
import type { Logger } from '../../kit/log';
import { type ProcessEnd, type WebProcess, WebProcesses } from './web-processes';

const NEVER_MS = 60_000;

/** A process whose events the test decides. */
class FakeProcess implements WebProcess {
  static #pids = 100;
  readonly pid = FakeProcess.#pids++;
  drains = 0;
  kills = 0;
  becomeReady!: () => void;
  end!: (end?: Partial<ProcessEnd>) => void;
  readonly ready = new Promise<void>((resolve) => {
    this.becomeReady = resolve;
  });
  readonly ended = new Promise<ProcessEnd>((resolve) => {
    this.end = (end) => resolve({ code: null, signal: null, ...end });
  });

  drain(): void {
    this.drains++;
  }

  kill(): void {
    this.kills++;
    this.end({ signal: 'SIGKILL' });
  }
}

function setUp({ count = 2, start = NEVER_MS, drain = NEVER_MS } = {}) {
  const forked: FakeProcess[] = [];
  const events: string[] = [];
  const reasons: string[] = [];
  const write: Logger['info'] = (event) => void events.push(event);
  let hopeless = 0;
  const group = new WebProcesses({
    count,
    fork() {
      const made = new FakeProcess();
      forked.push(made);
      return made;
    },
    log: { info: write, warn: write, error: write },
    limits: { start, drain, firstWait: 1 },
    onReplaced: (reason) => reasons.push(reason),
    onHopeless: () => hopeless++,
  });
  /** Waits until this many were forked, and makes the latest ready. */
  const readyAt = async (total: number) => {
    await expect.poll(() => forked.length).toBe(total);
    const latest = forked.at(-1) as FakeProcess;
    latest.becomeReady();
    await expect.poll(() => group.serving).toContain(latest);
    return latest;
  };
  const startAll = async () => {
    const started = group.start();
    while (forked.length < count || group.readyCount < count) {
      for (const made of forked) made.becomeReady();
      await new Promise(setImmediate);
    }
    await started;
  };
  return { group, forked, events, reasons, readyAt, startAll, countHopeless: () => hopeless };
}

it('is started once all processes are ready', async () => {
  const { group, forked } = setUp({ count: 3 });
  let isStarted = false;
  const started = group.start().then(() => {
    isStarted = true;
  });
  for (let made = 0; made < 3; made++) {
    await expect.poll(() => forked.length).toBeGreaterThan(made);
    expect(isStarted).toBe(false);
    forked[made]?.becomeReady();
  }
  await started;
  expect(group.readyCount).toBe(3);
});

it('fails to start if a process ends before it is ready', async () => {
  const { group, forked } = setUp();
  const started = group.start();
  await expect.poll(() => forked.length).toBeGreaterThan(0);
  forked[0]?.end({ code: 1 });
  await expect(started).rejects.toThrow('A web process ended before it was ready');
});

it('replaces a crashed process at once, and waits longer while crashes follow each other', async () => {
  const { group, forked, events, reasons, readyAt, startAll } = setUp();
  await startAll();
  forked[0]?.end({ signal: 'SIGKILL' });
  await readyAt(3);
  expect(group.readyCount).toBe(2);
  forked[2]?.end({ code: 1 });
  await readyAt(4);
  expect(events).toEqual(['web_process.crashed', 'web_process.crashed']);
  expect(reasons).toEqual(['crash', 'crash']);
});

it('replaces processes that crash at the same time', async () => {
  const { group, forked, startAll } = setUp({ count: 3 });
  await startAll();
  for (const made of forked.slice(0, 3)) made.end({ signal: 'SIGKILL' });
  for (let total = 4; total <= 6; total++) {
    await expect.poll(() => forked.length).toBeGreaterThanOrEqual(total);
    forked[total - 1]?.becomeReady();
  }
  await expect.poll(() => group.readyCount).toBe(3);
  expect(forked).toHaveLength(6);
});

it('gives up only if no process serves and starts keep failing', async () => {
  const { forked, startAll, countHopeless } = setUp({ count: 1 });
  await startAll();
  for (let crash = 1; crash <= 5; crash++) {
    forked.at(-1)?.end({ code: 1 });
    await expect.poll(() => forked.length).toBe(crash + 1);
    expect(countHopeless()).toBe(0);
  }
  forked.at(-1)?.end({ code: 1 });
  await expect.poll(countHopeless).toBe(1);
});

it('keeps trying to replace a process while another one serves', async () => {
  const { group, forked, startAll, readyAt, countHopeless } = setUp();
  await startAll();
  forked[0]?.end({ code: 1 });
  for (let crash = 1; crash <= 6; crash++) {
    await expect.poll(() => forked.length).toBe(2 + crash);
    forked.at(-1)?.end({ code: 1 });
  }
  await readyAt(9);
  expect([countHopeless(), group.readyCount]).toEqual([0, 2]);
});

it('restarts all, one at a time, and drains an old process only when its replacement is ready', async () => {
  const { group, forked, reasons, events, readyAt, startAll } = setUp();
  await startAll();
  const [first, second] = forked;
  const restarted = group.restartAll();
  await expect.poll(() => forked.length).toBe(3);
  expect(first?.drains).toBe(0);
  await readyAt(3);
  await expect.poll(() => first?.drains).toBe(1);
  expect([forked.length, second?.drains]).toEqual([3, 0]);
  first?.end({ code: 0 });
  await readyAt(4);
  await expect.poll(() => second?.drains).toBe(1);
  second?.end({ code: 0 });
  await restarted;
  expect([group.readyCount, forked.length, reasons]).toEqual([2, 4, ['restart', 'restart']]);
  expect(events).toEqual(['web_processes.restart_started', 'web_processes.restart_finished']);
});

it.each([
  ['ends', NEVER_MS, (made?: FakeProcess) => made?.end({ code: 1 })],
  ['is not ready in time', 20, () => undefined],
])('keeps the old processes if a new one %s', async (_, start, act) => {
  const { group, forked, events, startAll } = setUp({ start });
  await startAll();
  const restarted = group.restartAll();
  await expect.poll(() => forked.length).toBe(3);
  act(forked[2]);
  await restarted;
  expect(forked.slice(0, 2).map(({ drains, kills }) => drains + kills)).toEqual([0, 0]);
  expect([group.readyCount, forked.length]).toEqual([2, 3]);
  expect(events.slice(-2)).toEqual(['web_process.replacement_failed', 'web_processes.restart_stopped']);
});

it('kills an old process that does not finish in time', async () => {
  const { group, forked, events, readyAt, startAll } = setUp({ count: 1, drain: 1 });
  await startAll();
  const restarted = group.restartAll();
  await readyAt(2);
  await restarted;
  expect([forked[0]?.kills, group.readyCount]).toEqual([1, 1]);
  expect(events).toContain('web_process.drain_timed_out');
});

it('has all processes also if an old one crashes while its replacement fails', async () => {
  const { group, forked, readyAt, startAll } = setUp();
  await startAll();
  const restarted = group.restartAll();
  await expect.poll(() => forked.length).toBe(3);
  forked[0]?.end({ signal: 'SIGKILL' });
  forked[2]?.end({ code: 1 });
  await restarted;
  await readyAt(4);
  expect(group.readyCount).toBe(2);
});

it('restarts once more for requests during a restart', async () => {
  const { group, forked, readyAt, startAll } = setUp({ count: 1 });
  await startAll();
  const all = [group.restartAll()];
  await expect.poll(() => forked.length).toBe(2);
  all.push(group.restartAll(), group.restartAll());
  for (const total of [2, 3]) {
    await readyAt(total);
    await expect.poll(() => forked.at(-2)?.drains).toBe(1);
    forked.at(-2)?.end({ code: 0 });
  }
  await Promise.all(all);
  expect(forked).toHaveLength(3);
});

it('replaces one process on request', async () => {
  const { group, forked, readyAt, startAll } = setUp();
  await startAll();
  const [first, second] = forked as [FakeProcess, FakeProcess];
  const replaced = group.replace(second);
  await readyAt(3);
  await expect.poll(() => second.drains).toBe(1);
  second.end({ code: 0 });
  await replaced;
  expect([first.drains, group.readyCount]).toEqual([0, 2]);
});

it('drains all at once when it stops, and replaces none', async () => {
  const { group, forked, startAll } = setUp();
  await startAll();
  const stopped = group.stop(0);
  expect(forked.map(({ drains }) => drains)).toEqual([1, 1]);
  for (const made of forked) made.end({ code: 0 });
  await stopped;
  expect(forked).toHaveLength(2);
});
