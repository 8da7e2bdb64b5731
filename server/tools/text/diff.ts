import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './diff-worker.mjs';
import { textInput } from './text-input';

const MODULE = 'server/tools/text/diff-worker.mjs';
/** Per comparison, so that very different texts time out without killing the worker. */
const COMPARE_LIMIT_MS = 4_000;
/** Both comparisons at their limit, plus a second. */
const TIME_LIMIT_MS = 9_000;

const input = z.object({
  old_text: textInput.describe('The first, older version. At most 200,000 characters.'),
  new_text: textInput.describe('The second, newer version. At most 200,000 characters.'),
  granularity: z
    .enum(['line', 'word', 'character'])
    .default('line')
    .describe('Unit of the comparison: lines (the default), words, or characters.'),
  context_lines: z
    .int()
    .min(0)
    .max(100)
    .default(3)
    .describe('Unchanged lines around each change in the unified diff; 3 by default.'),
  ignore_case: z.boolean().default(false).describe('Whether to ignore upper and lower case.'),
});

const output = z.object({
  unified: z.string().describe('A unified diff by lines for patch and git; empty if the texts are equal.'),
  changes: z
    .array(
      z.object({
        kind: z
          .enum(['equal', 'insert', 'delete'])
          .describe('equal: in both texts. insert: only in the new one. delete: only in the old one.'),
        text: z.string().describe('The piece of text.'),
      }),
    )
    .describe('Both texts in pieces: equal and delete form the old text, equal and insert the new one.'),
  stats: z
    .object({
      inserted: z.int().describe('Number of lines, words or characters only in the new text.'),
      deleted: z.int().describe('Number of those only in the old text.'),
      unchanged: z.int().describe('Number of those in both.'),
      similarity: z.number().describe('From 0 (nothing in common) to 1 (equal).'),
      identical: z.boolean().describe('Whether the texts are equal.'),
    })
    .describe('Counts in the requested granularity.'),
});

export const diff = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'diff',
  displayName: 'Compare texts',
  keywords: 'compare difference changes changed edits versions drafts files contracts line by similar',
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
