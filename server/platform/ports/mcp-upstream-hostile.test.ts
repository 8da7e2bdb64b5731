import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOutcome, type HostileMcp, startHostileMcp, type Way } from './testing/hostile-mcp';

const WAYS = ['as JSON', 'as events', 'from a program'] as const;
const NO_ANSWER = 'The MCP server ended its response without an answer.';
/** For servers that are refused earlier, however slow the machine is. */
const LONG_MS = 30_000;
/** Frames after which a call ends by itself; mcp-upstream-hostile.deep.test.ts has all of them. */
const FEW = ['a result and an error', 'content of odd types', 'keys of the prototype'];
/** Frames sent before an answer, for which a single JSON body has no room. */
const FEW_BEFORE_AN_ANSWER = ['no JSON, then an answer', 'odd progress', 'questions of its own'];

let mcp: HostileMcp;
beforeAll(async () => {
  mcp = await startHostileMcp();
});
afterAll(() => mcp.close());

it.each(WAYS)('a hostile MCP server fails only the call it answers, %s', async (way) => {
  const frames = way === 'as JSON' ? FEW : FEW_BEFORE_AN_ANSWER;
  await mcp.expectProperEnds(way, frames, frames.length);
  expect(mcp.uncaught).toEqual([]);
});

it.each(WAYS)('JSON of 100,000 levels is refused before it is traversed, %s @F15', async (way) => {
  const end = await mcp.callOnce(way, 'deep structured content', LONG_MS);
  expect(describeOutcome(end)).toContain('JSON of more than 1000 levels');
  expect(mcp.uncaught).toEqual([]);
});

it.each(WAYS.slice(1))('a server that floods the gateway loses its connection, %s @F11', async (way) => {
  const floods = {
    'a flood of requests': 'requests faster than it reads the responses',
    'a flood of notifications': 'more than 5000 messages',
  };
  for (const [name, problem] of Object.entries(floods)) {
    mcp.replies = 0;
    const end = await mcp.callOnce(way, name, LONG_MS);
    expect(describeOutcome(end), name).toContain(problem);
    expect(mcp.replies).toBeLessThanOrEqual(8);
  }
});

it.each(WAYS)('a response larger than any output is refused before it is parsed, %s @F11', async (way) => {
  const sizes = {
    'very many values': 'more than 200000 values',
    'a very large message': 'more than 8 MiB',
  };
  for (const [name, problem] of Object.entries(sizes)) {
    const parse = vi.spyOn(JSON, 'parse');
    const end = await mcp.callOnce(way, name, LONG_MS);
    const longest = Math.max(...parse.mock.calls.map(([text]) => String(text).length));
    parse.mockRestore();
    expect(describeOutcome(end), name).toContain(problem);
    expect(longest).toBeLessThan(100_000);
  }
});

it.each<[Way, string]>([
  ['as JSON', 'nothing'],
  ['as events', 'no JSON'],
  ['as resumed events', 'nothing'],
  ['as JSON', 'a wrong id'],
  ['as events', 'a wrong id'],
  ['as resumed events', 'a wrong id'],
])('a call whose response ends without its answer fails at once, %s: %s @C13', async (way, frames) => {
  expect(describeOutcome(await mcp.callOnce(way, frames, LONG_MS))).toBe(NO_ANSWER);
});

it('a program that answers with the id of no request loses its connection @C13', async () => {
  const end = await mcp.callOnce('from a program', 'a wrong id', LONG_MS);
  expect(describeOutcome(end)).toBe('The MCP server answered with the id of no request.');
  expect(describeOutcome(await mcp.callOnce('from a program', 'another answer first', LONG_MS))).toBe(
    'answered',
  );
});

it('an answer counts wherever it arrives before the last stream of its call ends', async () => {
  for (const frames of ['fine', 'another answer first', 'questions of its own'])
    for (const way of ['as events', 'as resumed events'] as const)
      expect(describeOutcome(await mcp.callOnce(way, frames, LONG_MS)), frames).toBe('answered');
});
