import { expect } from 'vitest';
import { holdTimers } from '@/test/support/control-timers';
import { SkillError } from '../../../core/errors/skill-error';
import { closeWorkers, runInWorker } from '../cpu-pool';
import type * as fixture from '../worker-channel.fixture.mjs';
import { SHORT_TASK_MS } from '../worker-run';

// Tasks that violate the worker protocol, for both suites of worker-channel.

const FILE = 'server/platform/workers/worker-channel.fixture.mjs';
const signal = new AbortController().signal;

type Fixture = typeof fixture;

export async function run<Name extends keyof Fixture>(
  name: Name,
  payload: Parameters<Fixture[Name]>[0],
  options: { onLog?: (line: string) => void; timeLimitMs?: number } = {},
): Promise<unknown> {
  return await runInWorker<Fixture[Name]>(FILE, name, payload, { signal, ...options });
}

export const getFailure = (promise: Promise<unknown>) =>
  promise.then(
    (value) => expect.fail(`The task returned ${String(value).slice(0, 100)}`),
    (error: unknown) => error,
  );

const ended = (value: string) => `{"id":"ID","kind":"ended","reusable":true,"ending":${value}}`;
/** With a log listener, the worker sends the id of its task, which the fixture needs. */
const heard = { onLog: () => undefined };

export const HOSTILE_FRAMES = {
  'no JSON': ['{'],
  'an empty frame': [''],
  'no object': ['null'],
  'an unknown kind': ['{"id":"ID","kind":"toString"}'],
  'no kind': ['{"id":"ID","__proto__":{"kind":"ended"}}'],
  'an end of another task': [`{"id":"","kind":"ended","reusable":true,"ending":{"kind":"value"}}`],
  'a second beginning': ['{"id":"ID","kind":"started"}'],
  'that it is ready': ['{"id":"ID","kind":"ready"}'],
  'a line that is no text': ['{"id":"ID","kind":"log","message":{"length":1e9}}'],
  'progress beyond the end': ['{"id":"ID","kind":"progress","fraction":1e999}'],
  'no ending': [ended('null')],
  'an unknown ending': [ended('{"id":"ID","kind":"failure","message":[]}')],
  'a line of megabytes': [`{"id":"ID","kind":"log","message":"${'x'.repeat(1_000_000)}"}`],
  'a million levels': ['['.repeat(1_000_000)],
  'a million arrays': [`[${'[],'.repeat(600_000)}[]]`],
} satisfies Record<string, string[]>;

/** Checks that an invalid frame ends the worker process and fails only its own task. */
export async function expectRefusedFrames(texts: string[]): Promise<void> {
  const error = await getFailure(run('sendFrames', { texts, times: 1 }, heard));
  expect(error).toBeInstanceOf(SkillError);
  expect(String(error)).toContain('ended unexpectedly');
}

/** Checks that the first result of a task counts and that its process is not reused. */
export async function expectFirstEndCounts(): Promise<void> {
  const texts = [
    ended('{"id":"ID","kind":"value","value":"first"}'),
    ended('{"id":"ID","kind":"value","value":"second"}'),
  ];
  expect(await run('sendFrames', { texts, times: 50 }, heard)).toBe('first');
  expect(await run('echo', 'mine')).toBe('mine');
}

/** Checks that endless output fails its task and is not kept in the memory of this process. */
export async function expectNoMemoryTaken(task: Promise<unknown>): Promise<void> {
  const before = process.memoryUsage().rss;
  expect(await getFailure(task)).toBeInstanceOf(SkillError);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
}

export async function expectTooDeep(depth: number): Promise<void> {
  const error = await getFailure(run('nest', { depth }));
  expect(error).toBeInstanceOf(SkillError);
  expect(String(error)).toMatch(/nested deeper than 1000 levels|more than 2 MiB, 100,000 values/);
}

export async function expectUnexpectedEnd(by: string | null, code: number): Promise<void> {
  const error = await getFailure(run('end', { signal: by, code }));
  expect(error).toBeInstanceOf(SkillError);
  expect(String(error)).toContain("The tool's process ended unexpectedly");
}

/** Checks that an error left behind in a worker process fails no task of another account. */
export async function expectStrayErrorContained(afterMs: number): Promise<void> {
  closeWorkers();
  // Hold the timer after which a task is no longer retried in another process.
  holdTimers(SHORT_TASK_MS);
  // Timers of a process fire in order, so this one fires after the error.
  const ms = afterMs + 50;
  const pid = await run('reject', { afterMs, hidden: true });
  expect(await run('stay', { ms }), 'run again elsewhere').not.toBe(pid);
  await run('reject', { afterMs, hidden: true });
  const lines: string[] = [];
  await run('reportAndStay', { ms }, { onLog: (line) => lines.push(line) });
  expect(lines).toEqual(['started']);
}
