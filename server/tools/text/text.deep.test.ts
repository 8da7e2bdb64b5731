import { describe, expect, it } from 'vitest';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { createNoise, expectLinear, HOSTILE_PATTERNS } from './testing/hostile-texts';

describe('hostile texts of 200,000 characters', () => {
  it.each(HOSTILE_PATTERNS)(
    '%j never takes quadratic time: every skill ends long before its deadline',
    expectLinear,
  );
});

it('diff times out on completely different texts before its worker is killed', async () => {
  const texts = { old_text: createNoise(7), new_text: createNoise(11), granularity: 'character' };
  await expect(runSkill(tool, 'diff', texts)).rejects.toThrow(/differ too much.*in 4 s.*granularity line/);
});
