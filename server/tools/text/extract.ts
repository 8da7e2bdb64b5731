import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import { extract as extractAll } from './extract-worker.mjs';
import { textInput } from './text-input';

const MODULE = 'server/tools/text/extract-worker.mjs';

const kinds = ['emails', 'urls', 'phone_numbers', 'dates', 'numbers', 'hashtags', 'ip_addresses'] as const;

/** Searching it takes a fifth of a millisecond; a worker's messages take half of one. */
const MAX_CHARS_ON_MAIN_THREAD = 400;
/** All seven kinds with this many items take ten milliseconds to validate on the main thread. */
const MAX_ITEMS_PER_KIND = 2_000;

const input = z.object({
  text: textInput.describe('The text to search. At most 200,000 characters.'),
  kinds: z
    .array(z.enum(kinds))
    .min(1)
    .max(kinds.length)
    .default([...kinds])
    .describe('Kinds to find; all by default.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_ITEMS_PER_KIND)
    .default(1_000)
    .describe('Maximum number of items per kind, up to 2,000; 1,000 by default.'),
});

const output = z.object({
  found: z
    .array(
      z.object({
        kind: z.enum(kinds).describe('Kind of the items.'),
        count: z.int().describe('Number of all items found, including those beyond the limit.'),
        items: z
          .array(
            z.object({
              value: z.string().describe('The item as it appears in the text.'),
              start: z
                .int()
                .describe('Position of its first character, from 0, in UTF-16 code units as in JavaScript.'),
              end: z.int().describe('Position after its last character.'),
              iso: z.string().optional().describe('For dates: YYYY-MM-DD, if the date is unambiguous.'),
            }),
          )
          .describe('The items in the order of the text.'),
      }),
    )
    .describe('One entry for each requested kind.'),
});

export const extract = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'extract',
  displayName: 'Extract entities',
  keywords:
    'find pull all emails urls links phone numbers dates hashtags mentioned entities regex paragraph mail',
  description:
    'Finds and pulls out email addresses, links (URLs), phone numbers, dates, numbers, hashtags and IP addresses from a text, each with its position. Takes any text such as a web page, a log file, an email or a contract; returns lists.',
  input,
  output,
  returns: 'For each kind the count and the findings with their positions.',
  examples: [
    {
      description: 'Get all email addresses and links out of a message',
      input: { text: 'Write to ana@example.com or see https://example.com/help.', kinds: ['emails', 'urls'] },
    },
    {
      description: 'Find dates and phone numbers',
      input: { text: 'Call +49 30 1234567 before 24 December 2026.', kinds: ['dates', 'phone_numbers'] },
    },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.2 },
  run: async ({ input: payload, signal }) => ({
    output: {
      found:
        payload.text.length <= MAX_CHARS_ON_MAIN_THREAD
          ? extractAll(payload)
          : await runInWorker<typeof extractAll>(MODULE, 'extract', payload, { signal }),
    },
  }),
});
