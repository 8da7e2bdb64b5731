import { afterAll, expect, it } from 'vitest';
import { closeWorkers, runInWorker } from './cpu-pool';
import type * as fixture from './memory-guard.fixture.mjs';

const MODULE = 'server/tools/memory-guard.fixture.mjs';
const options = { signal: new AbortController().signal };

afterAll(closeWorkers);

it('a worker that fills memory outside of its heap is ended, and the next one works', async () => {
  const filled = runInWorker<typeof fixture.fillBuffers>(MODULE, 'fillBuffers', undefined, options);
  await expect(filled).rejects.toThrow(/needs more than .* of memory/);
  expect(await runInWorker<typeof fixture.isAlive>(MODULE, 'isAlive', undefined, options)).toBe(true);
});
