import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { runSkill } from '../sdk/skill-harness';
import { tool } from './index';
import { GREEDY_QUERIES, MEMORY_BOUND_MIB, OUT_OF_MEMORY, watchMemory } from './testing/watch-memory';

let files: TestFiles;
beforeAll(async () => {
  files = await createTestFiles();
});
afterAll(async () => {
  await files.remove();
});

describe.runIf(process.platform === 'linux')("a caller's SQL has bounded memory", () => {
  it('with every way to request much memory', async () => {
    const most: number[] = [];
    for (const [name, sql] of Object.entries(GREEDY_QUERIES)) {
      const input = { files: [{ file: 'asset_sample_sales' }], sql };
      const { error, mostMib } = await watchMemory(() => runSkill(tool, 'query', input, { files }));
      expect(error, name).toMatch(OUT_OF_MEMORY);
      expect(mostMib, name).toBeLessThan(MEMORY_BOUND_MIB);
      most.push(mostMib);
    }
    // Proves that the processes were measured.
    expect(Math.max(...most)).toBeGreaterThan(50);
  });
});
