import { z } from 'zod';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { defineSkill, free } from '../sdk/define-tool';
import type * as worker from './diff-worker.mjs';
import { textInput } from './text-input';

const MODULE = 'server/tools/text/diff-worker.mjs';
/** Of each of the two comparisons: a worker is not killed for texts that merely differ much. */
const COMPARE_LIMIT_MS = 4_000;
/** Both comparisons of the worker at their own limit, and a second to spare. */
const TIME_LIMIT_MS = 9_000;

const input = z.object({
  old_text: textInput.describe('The first, older version. At most 200,000 characters.'),
  new_text: textInput.describe('The second, newer version. At most 200,000 characters.'),
  granularity: z
    .enum(['line', 'word', 'character'])
    .default('line')
    .describe('What is compared as a whole: lines (the default), words, or characters.'),
  context_lines: z
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe('Unchanged lines around each change in the unified diff; 3 when left out.'),
  ignore_case: z.boolean().default(false).describe('Treat capital and small letters as the same.'),
});

const output = z.object({
  unified: z
    .string()
    .describe('A unified diff by lines, as patch and git read it; empty where nothing differs.'),
  changes: z
    .array(
      z.object({
        kind: z
          .enum(['equal', 'insert', 'delete'])
          .describe('Whether both have it, only the new or only the old text.'),
        text: z.string().describe('The piece of text.'),
      }),
    )
    .describe('Both texts in pieces: equal and delete make the old text, equal and insert the new one.'),
  stats: z
    .object({
      inserted: z.int().describe('Lines, words or characters only in the new text.'),
      deleted: z.int().describe('Those only in the old text.'),
      unchanged: z.int().describe('Those in both.'),
      similarity: z.number().describe('0 (nothing in common) to 1 (the same).'),
      identical: z.boolean().describe('Whether nothing differs.'),
    })
    .describe('Counts, in the granularity asked for.'),
});

export const diff = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'diff',
  displayName: 'Compare texts',
  description:
    'Compares two versions of a text, document or source file and shows what changed: lines, words or characters that were added and removed. Takes the old and the new text, returns a unified diff (patch), a list of changes and how similar the two are.',
  input,
  output,
  returns: 'A unified diff, the changes one by one, and counts with a similarity from 0 to 1.',
  examples: [
    {
      description: 'See which lines of a file changed',
      input: { old_text: 'milk\nbread\neggs\n', new_text: 'milk\nbutter\neggs\n' },
    },
    {
      description: 'Compare two sentences word by word',
      input: { old_text: 'The quick brown fox', new_text: 'The slow brown fox', granularity: 'word' },
    },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.2 },
  async run({ input, signal }) {
    const payload = { ...input, limitMs: COMPARE_LIMIT_MS };
    const limits = { signal, timeLimitMs: TIME_LIMIT_MS };
    const compared = await runInWorker<typeof worker.compare>(MODULE, 'compare', payload, limits);
    if (!compared.ok) throw new InputError(compared.message);
    const { unified, changes, stats } = compared;
    return { output: { unified, changes, stats } };
  },
});
