import { afterAll, describe, expect, it } from 'vitest';
import { closeWorkers, runInWorker } from './cpu-pool';
import { SkillError } from './define-tool';
import type * as fixture from './worker-channel.fixture.mjs';

const FILE = 'server/tools/worker-channel.fixture.mjs';
const signal = new AbortController().signal;

type Fixture = typeof fixture;

async function run<Name extends keyof Fixture>(
  name: Name,
  payload: Parameters<Fixture[Name]>[0],
  options: { onLog?: (line: string) => void; timeLimitMs?: number } = {},
): Promise<unknown> {
  return await runInWorker<Fixture[Name]>(FILE, name, payload, { signal, ...options });
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => expect.fail(`It gave ${String(value).slice(0, 100)}`),
    (error: unknown) => error,
  );

const ended = (value: string) => `{"id":"ID","kind":"ended","reusable":true,"ending":${value}}`;
/** A worker that is listened to sends its task's id, which the fixture then knows. */
const heard = { onLog: () => undefined };

afterAll(closeWorkers);

describe('a result that would harm the gateway is a plain failure of its call', () => {
  it.each([1_004, 3_000, 100_000])('nested %i levels deep', async (depth) => {
    const error = await failureOf(run('nest', { depth }));
    expect(error).toBeInstanceOf(SkillError);
    expect(String(error)).toMatch(/nested deeper than 1000 levels|more than 2 MiB or 100000 values/);
  });

  it('a cycle, one object many times, long text of escaped characters', async () => {
    for (const name of ['cycle', 'multiply'] as const)
      expect(String(await failureOf(run(name, undefined)))).toContain('more than 2 MiB');
    expect(String(await failureOf(run('longText', { length: 400_000 })))).toContain('more than 2 MiB');
    expect(await run('longText', { length: 300_000 })).toHaveLength(300_000);
  });

  it('what is no JSON, or throws while it is read', async () => {
    expect(String(await failureOf(run('oddValues', undefined)))).toMatch(/BigInt/);
    expect(String(await failureOf(run('throwingValue', undefined)))).toMatch(/in a getter/);
  });
});

describe('what crosses', () => {
  it('is JSON as deep as an output may be, with any names and texts', async () => {
    expect(await run('nest', { depth: 1_003 })).toBeTypeOf('object');
    const payload = JSON.parse(
      '{"__proto__":{"a":1},"then":1,"\\ud800":"\\udfff","":[null,-1e300,"\\u0000"]}',
    );
    expect(JSON.stringify(await run('echo', payload))).toBe(JSON.stringify(payload));
    expect(await run('echo', undefined)).toBeUndefined();
    expect(await run('echo', 'text')).toBe('text');
  });

  it('is bytes, of any number, in the field `bytes`', async () => {
    for (const length of [0, 1, 65_536, 10 * 1024 * 1024]) {
      const bytes = new Uint8Array(length).fill(7);
      const counted = await run('countBytes', { bytes, name: 'file' });
      expect(counted).toEqual({ name: 'file', length, last: length === 0 ? null : 7 });
    }
  });

  it('is no task of a payload that cannot be written, and the next one is run', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.itself = cycle;
    expect(String(await failureOf(run('echo', cycle)))).toMatch(/circular/);
    expect(await run('echo', 1)).toBe(1);
  });
});

describe('a worker that breaks the protocol fails its own call only', () => {
  const frames: Record<string, string[]> = {
    'no JSON': ['{'],
    'an empty frame': [''],
    'no object': ['null'],
    'an unknown kind': ['{"id":"ID","kind":"toString"}'],
    'no kind': ['{"id":"ID","__proto__":{"kind":"ended"}}'],
    'an end of another task': [`{"id":"","kind":"ended","reusable":true,"ending":{"kind":"value"}}`],
    'a second beginning': ['{"id":"ID","kind":"begun"}'],
    'that it is ready': ['{"id":"ID","kind":"ready"}'],
    'a line that is no text': ['{"id":"ID","kind":"log","message":{"length":1e9}}'],
    'progress beyond the end': ['{"id":"ID","kind":"progress","fraction":1e999}'],
    'no ending': [ended('null')],
    'an unknown ending': [ended('{"id":"ID","kind":"failure","message":[]}')],
    'a line of megabytes': [`{"id":"ID","kind":"log","message":"${'x'.repeat(1_000_000)}"}`],
    'a million levels': ['['.repeat(1_000_000)],
    'a million arrays': [`[${'[],'.repeat(600_000)}[]]`],
  };

  it.each(Object.entries(frames))('%s', async (_, texts) => {
    const error = await failureOf(run('sendFrames', { texts, times: 1 }, heard));
    expect(error).toBeInstanceOf(SkillError);
    expect(String(error)).toContain('ended unexpectedly');
  });

  it('more lines than may be, of which the first are passed on', async () => {
    const lines: string[] = [];
    const texts = ['{"id":"ID","kind":"log","message":"line"}'];
    const onLog = (line: string) => lines.push(line);
    expect(String(await failureOf(run('sendFrames', { texts, times: 100_000 }, { onLog })))).toContain(
      'ended',
    );
    expect(lines.length).toBeLessThanOrEqual(1_001);
  });

  it('a second end: the first counts, and the process is not used again', async () => {
    const texts = [
      ended('{"id":"ID","kind":"value","value":"first"}'),
      ended('{"id":"ID","kind":"value","value":"second"}'),
    ];
    for (let round = 0; round < 5; round += 1) {
      expect(await run('sendFrames', { texts, times: 50 }, heard)).toBe('first');
      expect(await run('echo', 'mine')).toBe('mine');
    }
  });

  it.each(['00', 'ff', '20', '0000000520'])('bytes %s without end, which take no memory', async (hex) => {
    const before = process.memoryUsage().rss;
    expect(await failureOf(run('writeForever', { hex }))).toBeInstanceOf(SkillError);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('a frame that comes in single bytes and never ends, which takes no more memory than it has', async () => {
    const before = process.memoryUsage().rss;
    const dripping = run('drip', { announced: 2 * 1024 * 1024, sent: 200_000 }, { timeLimitMs: 5_000 });
    expect(await failureOf(dripping)).toBeInstanceOf(SkillError);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('a pipe that is closed while the process goes on', async () => {
    expect(String(await failureOf(run('closeChannel', undefined)))).toContain('ended unexpectedly');
    expect(await run('echo', 'mine')).toBe('mine');
  });
});

describe('a process that ends', () => {
  it.each([
    ['SIGSEGV', 0],
    ['SIGKILL', 0],
    [null, 0],
    [null, 1],
  ])('by %s, code %i, says no memory was the cause', async (by, code) => {
    const error = await failureOf(run('end', { signal: by, code }));
    expect(error).toBeInstanceOf(SkillError);
    expect(String(error)).toContain("The tool's process ended unexpectedly");
  });
});

it('starts no process again after all were closed', async () => {
  await run('stay', { ms: 0 });
  const running = failureOf(run('stay', { ms: 60_000 }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  closeWorkers();
  expect(String(await running)).toMatch(/closed|ended unexpectedly/);
  expect(await run('echo', 1)).toBe(1);
});

describe('an error that nothing in the worker awaits', () => {
  it('fails the task that it comes from, and the process is not used again', async () => {
    const first = await run('stay', { ms: 0 });
    expect(String(await failureOf(run('reject', { afterMs: 0, hidden: true })))).toContain('left alone');
    expect(String(await failureOf(run('waitForThrown', undefined)))).toContain('thrown outside');
    expect(await run('stay', { ms: 0 })).not.toBe(first);
  });

  it('cannot come from a timer that a task left: its process is not used again', async () => {
    const pid = await run('reject', { afterMs: 60_000, hidden: false });
    expect(await run('stay', { ms: 0 })).not.toBe(pid);
  });

  it.each([1, 5, 20, 100])('%i ms after its task fails no call of another', async (afterMs) => {
    closeWorkers();
    const pid = await run('reject', { afterMs, hidden: true });
    expect(await run('stay', { ms: 300 }), 'run again elsewhere').not.toBe(pid);
    await run('reject', { afterMs, hidden: true });
    const lines: string[] = [];
    await run('reportAndStay', { ms: 300 }, { onLog: (line) => lines.push(line) });
    expect(lines).toEqual(['begun']);
  });

  it('in a crowd of 40 tasks of which half leave one fails none of the others', async () => {
    const tasks = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? run('reject', { afterMs: at + 1, hidden: true }) : run('stay', { ms: 20 }),
    );
    for (const task of await Promise.allSettled(tasks)) expect(task).toMatchObject({ status: 'fulfilled' });
  }, 60_000);
});
