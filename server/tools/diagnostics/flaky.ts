import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { SkillError } from '../sdk/skill-error';

/** A tenth of a cent: enough to see in the balance that a failed call is not charged. */
const PRICE_MICROUSD = 1_000n;

const modes = ['success', 'throw', 'timeout', 'bad_output', 'fail_rate'] as const;

const output = z.object({
  mode: z.enum(modes).describe('The requested mode.'),
  message: z.string().describe('Confirmation that the call succeeded.'),
});

const input = z.object({
  mode: z
    .enum(modes)
    .describe(
      'success: succeeds. throw: fails at once. timeout: hangs until it is stopped. bad_output: returns a result that violates its schema. fail_rate: fails at random, see fail_rate.',
    ),
  fail_rate: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('Share of calls that fail in mode fail_rate, 0 to 1; 0.5 by default.'),
});

export const flaky = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'flaky',
  displayName: 'Flaky',
  keywords: 'simulate error failure fail crash exception timeout retry retries failing broken test handling',
  description:
    'Fails in the way you tell it to: throws an error, hangs until the deadline, returns a broken result, or fails at random. Use it to test error handling, retries and timeouts, and to see that a failed call is not charged.',
  input,
  output,
  returns: 'A confirmation, if the call succeeds.',
  examples: [
    { description: 'A call that works', input: { mode: 'success' } },
    {
      description: 'Fail with a probability of nought, which is to succeed',
      input: { mode: 'fail_rate', fail_rate: 0 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: false, destructive: false, estimatedSeconds: 0.01 },
  async run({ input, signal }) {
    const succeeded = { output: { mode: input.mode, message: 'The call succeeded.' } };
    switch (input.mode) {
      case 'success':
        return succeeded;
      case 'throw':
        throw new SkillError('This call failed because its mode is throw.');
      case 'timeout':
        return hangUntilAborted(signal);
      case 'bad_output':
        // The cast is deliberate: the output schema has to catch what the compiler would reject.
        return { output: { mode: 42, surprise: true } as unknown as z.infer<typeof output> };
      case 'fail_rate':
        if (Math.random() < input.fail_rate) {
          throw new SkillError(`This call failed at random: its fail_rate is ${input.fail_rate}.`);
        }
        return succeeded;
    }
  },
});

function hangUntilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
