import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';

const MAX_SECONDS = 300;
const MIN_LOG_INTERVAL_SECONDS = 0.1;
const DEFAULT_LOG_INTERVAL_SECONDS = 1;

const input = z.object({
  seconds: z
    .number()
    .min(0)
    .max(MAX_SECONDS)
    .describe('How long to wait, in seconds, from 0 to 300; fractions are fine.'),
  log_every_seconds: z
    .number()
    .min(MIN_LOG_INTERVAL_SECONDS)
    .max(MAX_SECONDS)
    .default(DEFAULT_LOG_INTERVAL_SECONDS)
    .describe('Seconds between two log lines, 0.1 to 300; 1 by default.'),
});

const output = z.object({
  slept_seconds: z.number().min(0).describe('Time actually waited, in seconds.'),
  log_lines: z.int().min(0).describe('Number of log lines written.'),
});

export const sleep = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'sleep',
  displayName: 'Sleep',
  keywords: 'wait delay pause seconds slow response timeout simulate test',
  description:
    'Waits for the number of seconds you choose, up to five minutes, and reports log lines and progress while it waits. Use it to test timeouts, streaming, polling, background jobs and cancelling a long running call.',
  input,
  output,
  returns: 'How many seconds it really waited and how many log lines it wrote.',
  examples: [
    { description: 'Wait a tenth of a second', input: { seconds: 0.1 } },
    {
      description: 'Wait half a second with a log line every tenth',
      input: { seconds: 0.5, log_every_seconds: 0.1 },
    },
  ],
  price: free,
  // The duration depends on the input: a second is the typical test, and long ones become jobs.
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input, log, progress, signal }) {
    const startedAt = performance.now();
    const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
    let logLines = 0;
    let elapsed = 0;
    while (elapsed < input.seconds) {
      const remaining = input.seconds - elapsed;
      await wait(Math.min(remaining, input.log_every_seconds) * 1000, undefined, { signal });
      elapsed = Math.min(elapsedSeconds(), input.seconds);
      progress(elapsed / input.seconds);
      log(`slept ${elapsed.toFixed(1)} of ${input.seconds} s`);
      logLines += 1;
    }
    return { output: { slept_seconds: Math.round(elapsedSeconds() * 1000) / 1000, log_lines: logLines } };
  },
});
