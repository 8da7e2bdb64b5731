import { expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { readListing } from './read-mcp';

const MAX_BLOCK_MS = 50;

it('reads the tools of a server without blocking other calls @C13', async () => {
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'string' }]));
  const tools = Array.from({ length: 2_000 }, (_, i) => ({
    name: `t${i}`,
    inputSchema: { type: 'object' as const, properties },
  }));
  const listing = { title: '', version: '', description: '', tools, era: null };
  let read = 0;
  const block = await measureLeastBlock(MAX_BLOCK_MS, 2, async () => {
    read = (await readListing(listing)).skills.length;
  });
  expect(read).toBe(2_000);
  expect(block).toBeLessThan(MAX_BLOCK_MS);
});
