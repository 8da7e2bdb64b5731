import { afterEach, expect, it, onTestFinished } from 'vitest';
import { RowQueue } from './row-queue';

/** Longer than any test: rows are found without a poll. */
const NEVER_MS = 3_600_000;
const SOON_MS = 10;

/** Rows in memory, and work that ends when a test says so. */
class Fixture {
  readonly waiting: string[] = [];
  /** Taken without an answer. */
  readonly lost: string[] = [];
  readonly limits: number[] = [];
  /** How often it gave back what was lost. */
  returns = 0;
  readonly errors: unknown[] = [];
  readonly running = new Map<string, { signal: AbortSignal; end: (error?: Error) => void }>();
  fails: Error | null = null;
  /** Statements wait for it. */
  answer: Promise<void> = Promise.resolve();
  queue: RowQueue<string> | undefined;
  #tell: () => void = () => undefined;

  start({ concurrency = 2, pollMs = NEVER_MS } = {}): RowQueue<string> {
    this.queue = new RowQueue<string>(
      {
        topic: 'queue',
        concurrency,
        take: async (limit) => {
          this.limits.push(limit);
          if (this.fails) {
            this.lost.push(...this.waiting.splice(0, limit));
            throw this.fails;
          }
          const rows = this.waiting.splice(0, limit);
          await this.answer;
          return rows;
        },
        giveBack: async () => {
          this.returns += 1;
          this.waiting.unshift(...this.lost.splice(0));
        },
        work: (row, signal) =>
          new Promise((done, failed) => {
            const end = (error?: Error) => {
              this.running.delete(row);
              if (error) failed(error);
              else done();
            };
            this.running.set(row, { signal, end });
          }),
      },
      {
        notices: {
          on: (_, tell) => {
            this.#tell = () => tell(false);
            return () => {
              this.#tell = () => undefined;
            };
          },
        },
        onError: (error) => void this.errors.push(error),
        pollMs,
      },
    );
    return this.queue;
  }

  add(...rows: string[]): void {
    this.waiting.push(...rows);
  }

  notify(): void {
    this.#tell();
  }

  end(row: string, error?: Error): void {
    this.running.get(row)?.end(error);
  }

  untilRunning(...rows: string[]): Promise<void> {
    return expect.poll(() => [...this.running.keys()], { interval: 1 }).toEqual(rows);
  }
}

let fixture = new Fixture();
afterEach(async () => {
  const { queue, running } = fixture;
  const stopped = queue?.stop();
  for (const { end } of [...running.values()]) end();
  await stopped;
  fixture = new Fixture();
});

it('takes as many as it has free places in one statement, and the next ones as work ends', async () => {
  fixture.add('a', 'b', 'c', 'd', 'e');
  fixture.start({ concurrency: 3 });
  await fixture.untilRunning('a', 'b', 'c');
  expect(fixture.limits).toEqual([3]);
  fixture.end('a');
  fixture.end('c');
  await fixture.untilRunning('b', 'd', 'e');
  expect(fixture.limits.slice(0, 2)).toEqual([3, 2]);
  expect(fixture.errors).toEqual([]);
});

it('asks once if nothing waits, then after a notice, also one that arrives during a statement', async () => {
  fixture.start();
  await expect.poll(() => fixture.limits, { interval: 1 }).toEqual([2]);
  fixture.add('a');
  fixture.notify();
  await fixture.untilRunning('a');
  let respond = () => {};
  fixture.answer = new Promise((done) => {
    respond = done;
  });
  fixture.notify();
  fixture.add('b');
  fixture.notify();
  respond();
  await fixture.untilRunning('a', 'b');
});

it('finds a row whose notice was lost at the next poll', async () => {
  fixture.start({ pollMs: SOON_MS });
  await expect.poll(() => fixture.limits.length, { interval: 1 }).toBeGreaterThan(0);
  fixture.add('a');
  await fixture.untilRunning('a');
});

it('reports a failed statement once, and tries again at the next poll, not at each notice', async () => {
  fixture.fails = new Error('The database is away');
  fixture.add('a');
  fixture.start();
  await expect.poll(() => fixture.errors, { interval: 1 }).toEqual([fixture.fails]);
  fixture.notify();
  fixture.notify();
  expect(fixture.limits).toEqual([2]);
  await fixture.queue?.stop();

  fixture.start({ pollMs: SOON_MS });
  await expect.poll(() => fixture.errors.length, { interval: 1 }).toBeGreaterThan(1);
  fixture.fails = null;
  await fixture.untilRunning('a');
});

it('gives back what was lost before it takes more, also while all places are taken', async () => {
  fixture.add('a', 'b');
  fixture.start({ concurrency: 2, pollMs: SOON_MS });
  await fixture.untilRunning('a', 'b');
  fixture.fails = new Error('No answer');
  fixture.add('c');
  fixture.end('a');
  await expect.poll(() => fixture.lost, { interval: 1 }).toEqual(['c']);
  fixture.fails = null;
  fixture.add('d', 'e');
  await fixture.untilRunning('b', 'c');
  fixture.lost.push('f');
  await expect.poll(() => fixture.waiting, { interval: 1 }).toEqual(['f', 'd', 'e']);
});

it('gives nothing back unless a statement has failed', async () => {
  fixture.start({ pollMs: SOON_MS });
  await expect.poll(() => fixture.limits.length, { interval: 1 }).toBeGreaterThan(5);
  await fixture.queue?.stop();
  expect(fixture.returns).toBe(0);
});

it('gives back what was lost when it stops', async () => {
  fixture.fails = new Error('No answer');
  fixture.add('a');
  fixture.start();
  await expect.poll(() => fixture.lost, { interval: 1 }).toEqual(['a']);
  await fixture.queue?.stop();
  expect(fixture.waiting).toEqual(['a']);
});

it('work that fails is reported and frees its place', async () => {
  fixture.add('a', 'b');
  fixture.start({ concurrency: 1 });
  await fixture.untilRunning('a');
  const failure = new Error('It could not be recorded');
  fixture.end('a', failure);
  await fixture.untilRunning('b');
  expect(fixture.errors).toEqual([failure]);
});

it('a stop takes no more, ends when the running work has, and does what it had just taken', async () => {
  fixture.add('a', 'b', 'c');
  const queue = fixture.start({ concurrency: 2 });
  await fixture.untilRunning('a', 'b');
  let respond = () => {};
  fixture.answer = new Promise((done) => {
    respond = done;
  });
  fixture.end('a');
  await expect.poll(() => fixture.limits.length, { interval: 1 }).toBe(2);
  let hasStopped = false;
  const stopped = queue.stop().then(() => {
    hasStopped = true;
  });
  fixture.add('d');
  fixture.notify();
  respond();
  await fixture.untilRunning('b', 'c');
  expect([...fixture.running.values()].every(({ signal }) => signal.aborted)).toBe(true);
  fixture.end('b');
  await new Promise((done) => setImmediate(done));
  expect(hasStopped).toBe(false);
  fixture.end('c');
  await stopped;
  expect(fixture.waiting).toEqual(['d']);
});

it('lets every running task listen for the stop without a warning of a leak', async () => {
  const warnings: string[] = [];
  const collect = ({ message }: Error) => void warnings.push(message);
  process.on('warning', collect);
  onTestFinished(() => void process.off('warning', collect));
  const rows = Array.from({ length: 12 }, (_, id) => `row${id}`);
  fixture.add(...rows);
  fixture.start({ concurrency: rows.length });
  await fixture.untilRunning(...rows);
  for (const { signal, end } of fixture.running.values())
    signal.addEventListener('abort', () => end(), { once: true });
  await fixture.queue?.stop();
  await new Promise((done) => setImmediate(done));
  expect(warnings.filter((message) => message.includes('[AbortSignal]'))).toEqual([]);
});
