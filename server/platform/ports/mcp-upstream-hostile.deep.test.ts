import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOutcome, type HostileMcp, startHostileMcp, type Way } from './testing/hostile-mcp';
import { FRAMES } from './testing/mcp-hostile.fixture.mjs';

// All frames in every way; mcp-upstream-hostile.test.ts has a few of them.

/** Many never answer: over HTTP, all of them are awaited at once; programs need the cores. */
const AT_ONCE: Record<Way, number> = {
  'as JSON': 40,
  'as events': 40,
  'as resumed events': 40,
  'from a program': 6,
};
const LONG_MS = 30_000;
const WAYS: Way[] = ['as JSON', 'as events', 'as resumed events', 'from a program'];

let mcp: HostileMcp;
beforeAll(async () => {
  mcp = await startHostileMcp();
});
afterAll(() => mcp.close());

it.each(WAYS)('a hostile MCP server fails only the call it answers, %s @F15', async (way) => {
  await mcp.expectProperEnds(way, Object.keys(FRAMES), AT_ONCE[way]);
  expect(mcp.uncaught).toEqual([]);
});

it.each(WAYS)('JSON of 100,000 levels is refused before it is traversed, wherever it is, %s', async (way) => {
  for (const name of Object.keys(FRAMES).filter((each) => each.startsWith('deep '))) {
    const end = await mcp.callOnce(way, name, LONG_MS);
    expect(describeOutcome(end), name).toContain('JSON of more than 1000 levels');
  }
  expect(mcp.uncaught).toEqual([]);
});

it('a server that ends each resumed stream without an answer is not asked without end', async () => {
  const end = await mcp.callOnce('as resumed events', 'no JSON', LONG_MS);
  expect(describeOutcome(end)).toBe('The MCP server caused more than 1000 requests within one call.');
});
