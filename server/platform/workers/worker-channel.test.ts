import { describe, expect, it } from 'vitest';
import { shortenTimers } from '@/test/support/control-timers';
import { closeWorkers } from './cpu-pool';
import {
  expectFirstEndCounts,
  expectNoMemoryTaken,
  expectRefusedFrames,
  expectStrayErrorContained,
  expectTooDeep,
  expectUnexpectedEnd,
  getFailure,
  HOSTILE_FRAMES,
  run,
} from './testing/hostile-worker';

describe('a result that could harm the gateway only fails its call @F15', () => {
  it('nested deeper than an output may be', () => expectTooDeep(1_004));

  it('a cycle, one object many times, long text of escaped characters', async () => {
    for (const name of ['cycle', 'multiply'] as const)
      expect(String(await getFailure(run(name, undefined)))).toContain('more than 2 MiB');
    expect(String(await getFailure(run('longText', { length: 400_000 })))).toContain('more than 2 MiB');
    expect(await run('longText', { length: 300_000 })).toHaveLength(300_000);
  });

  it('a value that is not JSON, or throws when it is read', async () => {
    expect(String(await getFailure(run('oddValues', undefined)))).toMatch(/BigInt/);
    expect(String(await getFailure(run('throwingValue', undefined)))).toMatch(/in a getter/);
  });
});

describe('the channel carries', () => {
  it('JSON as deep as an output may be, with any names and texts', async () => {
    expect(await run('nest', { depth: 1_003 })).toBeTypeOf('object');
    const payload = JSON.parse(
      '{"__proto__":{"a":1},"then":1,"\\ud800":"\\udfff","":[null,-1e300,"\\u0000"]}',
    );
    expect(JSON.stringify(await run('echo', payload))).toBe(JSON.stringify(payload));
    expect(await run('echo', undefined)).toBeUndefined();
    expect(await run('echo', 'text')).toBe('text');
  });

  it('any number of bytes in the field `bytes`', async () => {
    for (const length of [0, 1, 65_536, 10 * 1024 * 1024]) {
      const bytes = new Uint8Array(length).fill(7);
      const counted = await run('countBytes', { bytes, name: 'file' });
      expect(counted).toEqual({ name: 'file', length, last: length === 0 ? null : 7 });
    }
  });

  it('no task with a payload that cannot be serialized, and runs the next one', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.itself = cycle;
    expect(String(await getFailure(run('echo', cycle)))).toMatch(/circular/);
    expect(await run('echo', 1)).toBe(1);
  });
});

describe('a worker that breaks the protocol fails only its own call @F15', () => {
  it.each(['no JSON', 'an end of another task', 'a second beginning', 'a million arrays'] as const)(
    '%s',
    (name) => expectRefusedFrames(HOSTILE_FRAMES[name]),
  );

  it('too many lines, of which the first are passed on', async () => {
    const lines: string[] = [];
    const texts = ['{"id":"ID","kind":"log","message":"line"}'];
    const onLog = (line: string) => lines.push(line);
    expect(String(await getFailure(run('sendFrames', { texts, times: 100_000 }, { onLog })))).toContain(
      'ended',
    );
    expect(lines.length).toBeLessThanOrEqual(1_001);
  });

  it('a second end: the first counts, and the process is not used again', expectFirstEndCounts);

  it('endless bytes, which take no memory', () =>
    expectNoMemoryTaken(run('writeForever', { hex: '0000000520' })));

  it('an endless frame of single bytes, which takes no more memory than it has sent', () =>
    expectNoMemoryTaken(run('drip', { announced: 2 * 1024 * 1024, sent: 20_000 }, { timeLimitMs: 1_000 })));

  it('a pipe that is closed while the process keeps running', async () => {
    // The time that the worker has to exit by itself.
    shortenTimers(1_000);
    // With unshare, an outer process holds the pipe open, and the time limit ends the worker.
    const failure = await getFailure(run('closeChannel', undefined, { timeLimitMs: 1_000 }));
    expect(String(failure)).toMatch(/ended unexpectedly|needs more than 1 s/);
    expect(await run('echo', 'mine')).toBe('mine');
  });
});

describe('a process that ends', () => {
  it.each([
    ['SIGSEGV', 0],
    [null, 1],
  ])('by %s, code %i, says no memory was the cause @F17', expectUnexpectedEnd);
});

it('starts no process after all were closed', async () => {
  await run('stay', { ms: 0 });
  const running = getFailure(run('stay', { ms: 60_000 }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  closeWorkers();
  expect(String(await running)).toMatch(/closed|ended unexpectedly/);
  expect(await run('echo', 1)).toBe(1);
});

describe('an error that nothing in the worker awaits', () => {
  it('fails its own task, and the process is not reused', async () => {
    const first = await run('stay', { ms: 0 });
    expect(String(await getFailure(run('reject', { afterMs: 0, hidden: true })))).toContain('left alone');
    expect(String(await getFailure(run('waitForThrown', undefined)))).toContain('thrown outside');
    expect(await run('stay', { ms: 0 })).not.toBe(first);
  });

  it('cannot come from a timer that a task left behind: its process is not reused', async () => {
    const pid = await run('reject', { afterMs: 60_000, hidden: false });
    expect(await run('stay', { ms: 0 })).not.toBe(pid);
  });

  it('fails no other call after its task', () => expectStrayErrorContained(5));
});
