import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callSkill, createList, findSkill, heaviestInputs } from '@/test/support/heaviest-inputs';
import { computeReference, measureLeastBlock } from '@/test/support/measure-block';
import { tools } from '../../tools/registry';
import { defineSkill, free } from '../../tools/sdk/define-tool';

// Measures a few of the heaviest inputs; attempt-call.blocking.deep.test.ts measures all.

const MAX_BLOCK_MS = 50;
const TRIES = 5;
const createNames = (count: number) => Object.fromEntries(createList(count, (at) => [at.toString(36), 0]));
/** One computed by a worker, one with a long output, one that is refused. */
const FEW = ['a hundred thousand words', 'a matrix', 'a list that is too long'];

describe('the thread of the gateway', () => {
  it.each(heaviestInputs.filter(([, what]) => FEW.includes(what)))(
    'is never blocked by %s: %s',
    async (id, _, input) => {
      const block = await measureLeastBlock(MAX_BLOCK_MS, TRIES, () => callSkill(findSkill(id), input));
      expect(block).toBeLessThan(MAX_BLOCK_MS);
    },
  );

  it('has a heavy input for every skill', () => {
    const all = tools.flatMap((tool) => tool.skills.map((skill) => `${tool.name}.${skill.name}`));
    expect(new Set(heaviestInputs.map(([id]) => id))).toEqual(new Set(all));
  });

  const skillWith = (output: z.ZodType, make: () => unknown) =>
    defineSkill({
      ...findSkill('diagnostics.echo'),
      output,
      price: free,
      run: async () => ({ output: make() }),
    });
  it.each([
    [
      'as large as it may be',
      () => ({ rows: createList(16_000, (at) => ({ id: at, name: 'x'.repeat(80), tags: ['a', 'b'] })) }),
    ],
    [
      'of thousands of wrong values',
      () => ({ rows: createList(3_000, () => ({ id: 'x', name: 1, tags: [1, 2] })) }),
    ],
    ['of the most names', () => ({ rows: [], ...createNames(5_000 - 4) })],
    ['without end', () => ({ rows: createList(1_000, () => createList(1_000, () => ({}))) })],
  ])('is never blocked by an output %s @E22', async (_, make) => {
    const row = z.object({ id: z.int(), name: z.string(), tags: z.array(z.string()) });
    const output = make();
    const skill = skillWith(z.looseObject({ rows: z.array(row) }), () => output);
    const block = await measureLeastBlock(MAX_BLOCK_MS, TRIES, () => callSkill(skill, { message: 1 }));
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  });

  it('is reported as blocked by a handler that blocks it', async () => {
    const skill = skillWith(z.object({}), () => {
      // Bound by CPU, not by a timer: several times the limit, even on a fast machine.
      for (let times = 0; times < 32; times++) computeReference();
      return {};
    });
    const block = await measureLeastBlock(MAX_BLOCK_MS, 1, () => callSkill(skill, { message: 1 }));
    expect(block).toBeGreaterThan(MAX_BLOCK_MS);
  });
});
