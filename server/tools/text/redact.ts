import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import { redact as redactText } from './redact-worker.mjs';
import { textInput } from './text-input';

const MODULE = 'server/tools/text/redact-worker.mjs';
/** Of text and terms. Redacting them takes under a millisecond, a worker's messages half of one. */
const MAX_CHARS_ON_MAIN_THREAD = 400;
/** The same of a Latin text without terms and hashes: a page of it is searched as fast. */
const MAX_LATIN_CHARS_ON_MAIN_THREAD = 2_200;
const LATIN = /^[\p{ASCII}\u0080-\u024f\u2000-\u206f]*$/u;
/** A twentieth of a cent. */
const PRICE_MICROUSD = 500n;

const kinds = ['email', 'phone', 'card', 'iban', 'ip', 'ssn'] as const;
const count = z.int().min(0);

const input = z.object({
  text: textInput.describe('The text to redact. At most 200,000 characters.'),
  kinds: z
    .array(z.enum(kinds))
    .max(kinds.length)
    .default([...kinds])
    .describe(
      'Kinds of data to hide, all by default: email addresses, phone numbers, payment cards (with a valid check digit), IBAN bank accounts (with a valid checksum), IP addresses, US social security numbers.',
    ),
  terms: z
    .array(z.string().trim().min(1).max(100))
    .max(100)
    .default([])
    .describe('Further words or names to hide as whole words, in any case. At most 100.'),
  style: z
    .enum(['label', 'mask', 'hash'])
    .default('label')
    .describe(
      'label (the default): [EMAIL]. mask: asterisks of the same length. hash: [EMAIL:3f2a9c…], equal for equal values.',
    ),
  hash_key: z
    .string()
    .min(8)
    .max(200)
    .optional()
    .describe(
      'For style hash: a secret that makes hashes comparable across calls. Without it they are comparable only within one text.',
    ),
});

const output = z.object({
  text: z.string().describe('The redacted text.'),
  counts: z
    .object({ email: count, phone: count, card: count, iban: count, ip: count, ssn: count, term: count })
    .describe('Number of replacements of each kind.'),
  total: count.describe('Total number of replacements.'),
});

export const redact = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'redact',
  displayName: 'Redact personal data',
  keywords:
    'anonymize anonymise mask hide black out strip remove censor personal private sensitive data pii names phone email card numbers logs gdpr privacy',
  description:
    'Removes or hides personal and sensitive data (PII) in a text: email addresses, phone numbers, credit card numbers, IBAN bank accounts, IP addresses, social security numbers, and names or words you list. Anonymises by label, mask or hash; returns the censored text and how much was found.',
  input,
  output,
  returns: 'The redacted text and how many things of each kind were replaced.',
  examples: [
    {
      description: 'Hide email addresses and phone numbers before sharing a message',
      input: { text: 'I am Ana, ana@example.com, +1 555-123-4567.' },
    },
    {
      description: 'Mask a credit card number and a name',
      input: { text: 'Ana Silva paid with 4111 1111 1111 1111.', terms: ['Ana Silva'], style: 'mask' },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.2 },
  run: async ({ input: payload, signal }) => ({
    output: isSmall(payload)
      ? redactText(payload)
      : await runInWorker<typeof redactText>(MODULE, 'redact', payload, { signal }),
  }),
});

function isSmall({ text, terms, style }: z.infer<typeof input>): boolean {
  if (terms.length === 0 && style !== 'hash' && text.length <= MAX_LATIN_CHARS_ON_MAIN_THREAD)
    return text.length <= MAX_CHARS_ON_MAIN_THREAD || LATIN.test(text);
  return terms.reduce((chars, term) => chars + term.length, text.length) <= MAX_CHARS_ON_MAIN_THREAD;
}
