import { z } from 'zod';
import { SkillError } from '@/server/core/errors/skill-error';
import { free, perCall, type ToolDefinition } from '@/server/tools/sdk/define-tool';
import { defineTestSkill, defineTestTool } from './test-tool';

/** Price of a paid skill of the probe, in micro-dollars. */
export const PROBE_PRICE = 100n;

/** An instrumented tool: its handlers count their runs, and some wait until they are released. */
export interface Probe {
  tool: ToolDefinition;
  /** Number of handler runs with this id. */
  runs(id: string): number;
  /** Maximum number of concurrent handlers since the last call. */
  maxConcurrent(): number;
  /** Releases the handlers with these ids, also those that start later. */
  release(...ids: string[]): void;
  /** Resolves once a handler has started for each of these ids. */
  waitUntilStarted(...ids: string[]): Promise<void>;
}

const input = z.object({ id: z.string().default('') });
const output = z.object({ id: z.string(), run: z.int() });
type Output = z.infer<typeof output>;

/**
 * Skills: `ok`, `fail` and `wait`, each also as `_paid`, and `queued…` ones that run in a worker.
 * Free skills are annotated idempotent.
 */
export function createProbe(): Probe {
  const runs = new Map<string, number>();
  const gone = new Set<string>();
  const listeners = new Set<() => void>();
  let now = 0;
  let most = 0;
  const until = async (condition: () => boolean, signal?: AbortSignal) => {
    while (!condition()) {
      signal?.throwIfAborted();
      await new Promise<void>((done) => {
        const listener = () => {
          listeners.delete(listener);
          signal?.removeEventListener('abort', listener);
          done();
        };
        listeners.add(listener);
        signal?.addEventListener('abort', listener, { once: true });
      });
    }
  };
  const notifyAll = () => {
    for (const notify of [...listeners]) notify();
  };
  const begin = (id: string): Output => {
    const run = (runs.get(id) ?? 0) + 1;
    runs.set(id, run);
    most = Math.max(most, ++now);
    notifyAll();
    return { id, run };
  };
  const skill = (name: string, work: 'ok' | 'wait' | 'fail', price: typeof free, estimatedSeconds = 1) =>
    defineTestSkill<{ id: string }, Output>({
      name,
      input,
      output,
      price,
      // Not read-only: a call that has started is admitted then.
      annotations: { readOnly: false, idempotent: price.free, estimatedSeconds },
      async run({ input: { id }, signal }) {
        const started = begin(id);
        try {
          if (work === 'wait') await until(() => gone.has(id), signal);
          if (work === 'fail') throw new SkillError(id.includes('\0') ? `It fails: ${id}` : 'It fails.');
          return { output: started };
        } finally {
          now--;
        }
      },
    });
  const both = (work: 'ok' | 'wait' | 'fail') => [
    skill(work, work, free),
    skill(`${work}_paid`, work, perCall(PROBE_PRICE)),
  ];
  return {
    tool: defineTestTool('probe', [
      ...both('ok'),
      ...both('wait'),
      ...both('fail'),
      skill('queued', 'ok', free, 30),
      skill('queued_wait', 'wait', free, 30),
      skill('queued_paid', 'wait', perCall(PROBE_PRICE), 30),
    ]),
    runs: (id) => runs.get(id) ?? 0,
    maxConcurrent() {
      const seen = most;
      most = now;
      return seen;
    },
    release(...ids) {
      for (const id of ids) gone.add(id);
      notifyAll();
    },
    waitUntilStarted: (...ids) => until(() => ids.every((id) => runs.has(id))),
  };
}
