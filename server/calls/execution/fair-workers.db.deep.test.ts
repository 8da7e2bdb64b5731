import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { closeWorkers } from '../../platform/workers/cpu-pool';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: UNLIMITED_RATES });
});
afterAll(async () => {
  await harness.close();
});

const call = (key: string, tool: string, skill: string, input: object, signal?: AbortSignal) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool, skill, input }, ...(signal && { signal }) });

it('two accounts that flood the workers with sleeping or looping programs do not delay other accounts @F7', async () => {
  const [sleeper, looper, other] = await Promise.all([0, 1, 2].map(() => harness.person(1_000_000n)));
  if (!sleeper || !looper || !other) throw new Error('Expected three people');
  const programs = [
    [sleeper.key, 'await new Promise((done) => setTimeout(done, 29_000)); throw new Error("free")'],
    [looper.key, 'for (;;);'],
  ] as const;
  let ended = 0;
  const floods = programs.flatMap(([key, code]) =>
    Array.from({ length: 5 }, async () => {
      await call(key, 'code', 'run_javascript', { code, timeout_seconds: 30 });
      ended += 1;
    }),
  );
  for (const code of ['1', '2', '3']) {
    const { status, body } = await call(other.key, 'code', 'run_javascript', { code });
    expect([status, body.output?.value]).toEqual([200, Number(code)]);
    expect(await call(other.key, 'math', 'evaluate', { expression: code })).toMatchObject({ status: 200 });
  }
  expect(ended, 'none of the flood had ended').toBe(0);
  closeWorkers();
  await Promise.all(floods);
}, 120_000);
