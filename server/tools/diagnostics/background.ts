import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';

const MAX_SECONDS = 300;
const MAX_STEPS = 100;
const DEFAULT_STEPS = 3;

const input = z.object({
  seconds: z.number().min(0).max(MAX_SECONDS).describe('Total duration in seconds, from 0 to 300.'),
  steps: z
    .int()
    .min(1)
    .max(MAX_STEPS)
    .default(DEFAULT_STEPS)
    .describe('Number of equal steps, 1 to 100, each with a log line; 3 by default.'),
});

const output = z.object({
  steps_done: z.int().min(0).describe('Number of steps completed.'),
});

export const background = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'background',
  displayName: 'Background work',
  keywords: 'background job queue polling progress minute test long running slow',
  description:
    'Does nothing, slowly, in the background: it is put in the queue and run by a worker, as long calls are. Use it to test jobs: polling, logs, progress, cancelling, and what happens when a server dies on the way, because it is started again by another worker.',
  input,
  output,
  returns: 'How many steps were done.',
  examples: [
    { description: 'Three steps in a tenth of a second', input: { seconds: 0.1 } },
    { description: 'One step that ends at once', input: { seconds: 0, steps: 1 } },
  ],
  price: free,
  // From an estimate of 30 seconds on, calls are always queued, which is the purpose of this skill.
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 30 },
  async run({ input, log, progress, signal }) {
    for (let step = 1; step <= input.steps; step++) {
      await wait((input.seconds * 1000) / input.steps, undefined, { signal });
      log(`step ${step} of ${input.steps}`);
      progress(step / input.steps);
    }
    return { output: { steps_done: input.steps } };
  },
});
