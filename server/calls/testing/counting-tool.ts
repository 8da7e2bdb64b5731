import { z } from 'zod';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { SkillError } from '../../core/errors/skill-error';
import { perCall, type ToolDefinition } from '../../tools/sdk/define-tool';

/** Price of a call of the counting tool, in micro-dollars. */
export const COUNTING_PRICE = 100n;

const input = z.object({
  /** Changes nothing but the input. */
  n: z.int().default(0),
  fails: z.boolean().default(false),
  logs: z.boolean().default(false),
});

/** A tool with the skill `count`, which only reads: its calls run before they are admitted. */
export function createCountingTool({ idempotent = false } = {}): {
  tool: ToolDefinition;
  /** Number of handler runs. */
  runs(): number;
} {
  let runs = 0;
  const count = defineTestSkill({
    name: 'count',
    input,
    output: z.object({ run: z.int() }),
    price: perCall(COUNTING_PRICE),
    annotations: { idempotent },
    async run({ input: { fails, logs }, log, progress }) {
      runs++;
      if (logs) {
        log('counting');
        progress(0.5);
      }
      if (fails) throw new SkillError('It does not count.');
      return { output: { run: runs } };
    },
  });
  return { tool: defineTestTool('counting', [count]), runs: () => runs };
}
