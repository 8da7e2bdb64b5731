import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';

/** Characters of JSON; the gateway's body limit is far higher. */
const MAX_MESSAGE_CHARS = 100_000;

const message = z
  .unknown()
  .refine((value) => value !== undefined, 'message is required. Pass any JSON value.')
  .refine(
    (value) => value === undefined || fitsAsJson(value),
    `message may have at most ${MAX_MESSAGE_CHARS} characters as JSON, and a few thousand levels of nesting.`,
  );

const input = z.object({
  message: message.describe(
    'Any JSON value: text, number, boolean, null, array or object. At most 100,000 characters.',
  ),
});

const output = z.object({
  message: z.unknown().describe('The value that was sent.'),
});

export const echo = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'echo',
  displayName: 'Echo',
  keywords: 'ping hello test connection works key api reply same message alive',
  description:
    'Returns the message you send, unchanged. Use it to test that your API key, your connection and your JSON encoding work: a free ping that answers at once, like a hello world.',
  input,
  output,
  returns: 'The message exactly as it was sent.',
  examples: [
    { description: 'Test the connection with a text', input: { message: 'hello' } },
    {
      description: 'Send a nested object and get it back',
      input: { message: { numbers: [1, 2.5, null], ok: true } },
    },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.01 },
  run: async ({ input }) => ({ output: { message: input.message } }),
});

function fitsAsJson(value: unknown): boolean {
  try {
    return JSON.stringify(value).length <= MAX_MESSAGE_CHARS;
  } catch {
    // JSON.parse accepts very deep nesting that makes JSON.stringify overflow the stack.
    return false;
  }
}
