import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { computeReference, leastBlock } from '../testing/longest-block';
import { type DistantStub, spawnProviderStub } from '../testing/provider-stub/distant-stub';
import { createExampleBrowser } from '../testing/test-browser';
import { closeWorkers } from '../tools/cpu-pool';
import { type AnySkill, defineSkill, free } from '../tools/define-tool';
import { exampleSite } from '../tools/example-site';
import { noServices } from '../tools/no-services';
import type { Slot } from '../tools/providers';
import { tools } from '../tools/registry';
import { createTestFiles, type TestFiles } from '../tools/test-files';
import { createToolLookup } from '../tools/tool-lookup';
import { attemptCall } from './attempt-call';

// "One call never delays another by more than 50 ms": the heaviest inputs of each skill that a body
// of 1 MiB can carry, and what each makes the gateway's own thread do. How JSON.parse is kept short
// is tested in http/scan-json.test.ts.

const MAX_BLOCK_MS = 50;
const TRIES = 5;

const browser = createExampleBrowser(exampleSite);
let files: TestFiles;
let stub: DistantStub;
beforeAll(async () => {
  files = await createTestFiles();
  stub = await spawnProviderStub();
});
afterAll(async () => {
  closeWorkers();
  browser.close();
  await stub.close();
  await files.remove();
});

const lookup = createToolLookup(tools);
function skillOf(id: string): AnySkill {
  const [toolName = '', skillName = ''] = id.split('.');
  const tool = lookup.findTool(toolName);
  const skill = tool && lookup.findSkill(tool, skillName);
  if (!skill) throw new Error(`No skill ${id}`);
  return skill;
}

/** What a call makes of an input: parses it, and runs it where it is valid. */
async function call(skill: AnySkill, input: unknown, signal?: AbortSignal, accountId = 'anyone') {
  const parsed = skill.input.safeParse(input);
  if (!parsed.success) return null;
  const [slot] = skill.slotsFor?.(parsed.data) ?? skill.requirements ?? [];
  const services = {
    files,
    fetch: exampleSite,
    browser,
    ...(slot && { provider: stub.client(slot as Slot) }),
  };
  const caller = { accountId, provisional: false, spentMs: 0 };
  const options = { deadlineMs: 25_000, services: noServices(services), caller };
  return await attemptCall(skill, { ...options, input: parsed.data, signal });
}

const CHARS = 200_000;
const textOf = (pattern: string, chars = CHARS) =>
  pattern.repeat(Math.ceil(chars / pattern.length)).slice(0, chars);
const listOf = <Item>(length: number, item: (at: number) => Item) =>
  Array.from({ length }, (_, at) => item(at));
const named = (length: number, item: (at: number) => unknown) =>
  Object.fromEntries(listOf(length, (at) => [`v${at}`, item(at)]));

/** Tools with files bring theirs: `server/tools/<tool>/heaviest.ts`. */
const brought = import.meta.glob<{ heaviest: [string, string, unknown][] }>('../tools/*/heaviest.ts', {
  eager: true,
});

const heavy: [string, string, unknown][] = [
  ...Object.values(brought).flatMap(({ heaviest }) => heaviest),
  ['diagnostics.echo', 'a long list', { message: listOf(49_000, () => 1) }],
  ['diagnostics.echo', 'deep arrays', { message: JSON.parse('['.repeat(3000) + ']'.repeat(3000)) }],
  ['diagnostics.echo', 'a list that is too long', { message: listOf(500_000, () => 1) }],
  ['diagnostics.echo', 'very many fields', { message: named(24_000, () => ({})) }],
  ['diagnostics.spend', 'fields it does not know', { amount_usd: 0.5, ...named(49_000, () => 1) }],
  ['diagnostics.flaky', 'its broken output', { mode: 'bad_output' }],
  ['diagnostics.sleep', 'no time', { seconds: 0 }],
  ['diagnostics.background', 'all its steps', { seconds: 0, steps: 100 }],
  [
    'math.evaluate',
    'a matrix',
    { expression: 'm * m', variables: { m: listOf(99, () => listOf(99, () => 1)) } },
  ],
  [
    'math.evaluate',
    'a matrix of text',
    { expression: '1', variables: { m: listOf(99, () => listOf(99, () => 'a')) } },
  ],
  [
    'math.evaluate',
    'far too many numbers',
    { expression: '1', variables: named(55, () => listOf(9_000, () => 1)) },
  ],
  ['math.evaluate', 'far too many rows', { expression: '1', variables: { m: listOf(24_000, () => ['a']) } }],
  ['math.evaluate', 'far too many variables', { expression: '1', variables: named(49_000, () => 'x') }],
  ['math.evaluate', 'a number of a MiB', { expression: '1', variables: { x: '1'.repeat(1_000_000) } }],
  ['math.evaluate', 'a result of nine million zeros', { expression: 'zeros(3000, 3000, "sparse")' }],
  ['math.evaluate', 'the longest result', { expression: 'zeros(33000)' }],
  [
    'math.statistics',
    'the longest lists',
    { values: listOf(100_000, (at) => at % 1000), y: listOf(100_000, (at) => at), histogram_bins: 1000 },
  ],
  ['math.statistics', 'lists of text', { values: listOf(100_000, () => 'a'), y: listOf(100_000, () => 'a') }],
  ['math.units', 'units that do not exist', { value: 1, from: 'x'.repeat(100), to: 'y'.repeat(100) }],
  [
    'text.diff',
    'thousands of changes',
    { old_text: textOf('a\nb\nc\n', 8_000), new_text: textOf('a\nx\nc\n', 8_000) },
  ],
  [
    'text.diff',
    'all of it changed',
    { old_text: textOf('漢字', 170_000), new_text: textOf('字漢', 170_000) },
  ],
  [
    'text.extract',
    'as much as there can be',
    { text: textOf('a@b.cc www.a.b #a 1/1/2000 +111111 ::1 '), limit: 2_000 },
  ],
  [
    'text.redact',
    'a hundred thousand things',
    { text: textOf('a '), terms: listOf(100, (at) => 'a'.repeat(at + 1)), style: 'hash' },
  ],
  ['text.redact', 'far too many terms', { text: 'a', terms: listOf(200_000, () => ' ') }],
  ['text.stats', 'a hundred thousand words', { text: textOf('a '), top_words: 200 }],
  ['text.stats', 'a locale of a MiB', { text: 'a', locale: 'x'.repeat(1_000_000) }],
  [
    'codes.qr',
    'the largest picture',
    { content: '1'.repeat(7089), error_correction: 'L', size: 2048, format: 'png' },
  ],
  [
    'codes.barcode',
    'the largest picture',
    { type: 'aztec', content: 'x'.repeat(1500), size: 2048, format: 'png' },
  ],
];

describe('the thread of the gateway', () => {
  it.each(heavy)('is never blocked by %s: %s', async (id, _, input) => {
    const skill = skillOf(id);
    expect(await leastBlock(MAX_BLOCK_MS, TRIES, () => call(skill, input))).toBeLessThan(MAX_BLOCK_MS);
  });

  it('has been measured for every skill there is', () => {
    const all = tools.flatMap((tool) => tool.skills.map((skill) => `${tool.name}.${skill.name}`));
    expect(new Set(heavy.map(([id]) => id))).toEqual(new Set(all));
  });

  const stranger = (output: z.ZodType, make: () => unknown) =>
    defineSkill({
      ...skillOf('diagnostics.echo'),
      output,
      price: free,
      run: async () => ({ output: make() }),
    });
  it.each([
    [
      'as large as it may be',
      () => ({ rows: listOf(16_000, (at) => ({ id: at, name: 'x'.repeat(80), tags: ['a', 'b'] })) }),
    ],
    [
      'of thousands of wrong values',
      () => ({ rows: listOf(3_000, () => ({ id: 'x', name: 1, tags: [1, 2] })) }),
    ],
    ['without end', () => ({ rows: listOf(1_000, () => listOf(1_000, () => ({}))) })],
  ])('is never blocked by an output %s', async (_, make) => {
    const row = z.object({ id: z.int(), name: z.string(), tags: z.array(z.string()) });
    const output = make();
    const skill = stranger(z.object({ rows: z.array(row) }), () => output);
    const block = await leastBlock(MAX_BLOCK_MS, TRIES, () => call(skill, { message: 1 }));
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  });

  it('would be seen to be blocked', async () => {
    const skill = stranger(z.object({}), () => {
      // Of computing, not of the clock: several times the bound, also on a fast machine.
      for (let times = 0; times < 32; times++) computeReference();
      return {};
    });
    const block = await leastBlock(MAX_BLOCK_MS, TRIES, () => call(skill, { message: 1 }));
    expect(block).toBeGreaterThan(MAX_BLOCK_MS);
  });
});

describe('five calls of one key that calculate up to their limit', () => {
  it("hold up no other caller's calls", { timeout: 120_000 }, async () => {
    const stop = new AbortController();
    const endless = { expression: 'f(n) = n < 2 ? n : f(n - 1) + f(n - 2); f(60)' };
    const burning = listOf(5, () => call(skillOf('math.evaluate'), endless, stop.signal, 'busy'));
    const firstOfFive = Promise.race(burning).then(() => 'one of the five');
    const others: [string, unknown][] = [
      ['diagnostics.echo', { message: 'hello' }],
      ['math.evaluate', { expression: '1 + 1' }],
      ['text.stats', { text: 'a short text' }],
      ['codes.qr', { content: 'hello' }],
    ];
    for (const [id, input] of others) {
      const startedAt = performance.now();
      const answer = call(skillOf(id), input);
      expect(await Promise.race([firstOfFive, answer.then(() => 'the other')]), id).toBe('the other');
      expect(await answer, id).toMatchObject({ ok: true });
      expect(performance.now() - startedAt, id).toBeLessThan(8_000);
    }
    stop.abort(new Error('stop'));
    for (const attempt of await Promise.all(burning)) expect(attempt).toMatchObject({ ok: false });
  });
});
