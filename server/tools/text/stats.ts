import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import type * as worker from './stats-worker.mjs';
import { textInput } from './text-input';

const MODULE = 'server/tools/text/stats-worker.mjs';
/** Silent reading speed of adults for English non-fiction (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;

const input = z.object({
  text: textInput.describe('The text to count. At most 200,000 characters.'),
  locale: z
    .string()
    .max(35)
    .refine(isLocale, 'locale must be a language tag such as en, de or ja.')
    .default('en')
    .describe('Language of the text as a BCP 47 tag, such as en, de, ja or th; determines where words end.'),
  top_words: z.int().min(0).max(200).default(10).describe('Number of most frequent words to list, 0 to 200.'),
  words_per_minute: z
    .int()
    .min(10)
    .max(2_000)
    .default(WORDS_PER_MINUTE)
    .describe('Reading speed for the reading time; 238 by default. Use 150 for speech.'),
});

const output = z.object({
  characters: z.int().describe('Number of Unicode code points, as most character limits count.'),
  characters_without_spaces: z.int().describe('Number of code points without white space.'),
  graphemes: z
    .int()
    .describe('Number of characters as a reader sees them: an emoji of several code points counts as one.'),
  bytes: z.int().describe('Size in bytes of UTF-8.'),
  words: z.int().describe('Number of words.'),
  unique_words: z.int().describe('Number of different words, ignoring case.'),
  sentences: z.int().describe('Number of sentences.'),
  lines: z.int().describe('Number of lines; 0 for an empty text.'),
  paragraphs: z.int().describe('Number of blocks between empty lines.'),
  average_word_length: z.number().nullable().describe('Characters per word; null without words.'),
  reading_time_seconds: z.int().describe('Estimated reading time in seconds.'),
  top_words: z
    .array(
      z.object({
        word: z.string().describe('The word in lower case.'),
        count: z.int().describe('Number of occurrences.'),
      }),
    )
    .describe('The most frequent words, most frequent first.'),
});

export const stats = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'stats',
  displayName: 'Text statistics',
  keywords:
    'word count words counter character characters length tweet limit reading time long sentences frequent',
  description:
    'Counts words, characters, sentences, lines and paragraphs of a text, estimates how long it takes to read, and lists its most frequent words. A word counter and character counter for essays, tweets and articles, in any language.',
  input,
  output,
  returns: 'All counts, the reading time in seconds and the top words.',
  examples: [
    {
      description: 'How many words and characters a text has',
      input: { text: 'The cat sat on the mat. The end.' },
    },
    {
      description: 'The three most used words of a German text',
      input: { text: 'Der Hund und der Mann.', locale: 'de', top_words: 3 },
    },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.2 },
  run: async ({ input: payload, signal }) => ({
    output: await runInWorker<typeof worker.stats>(MODULE, 'stats', payload, { signal }),
  }),
});

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
