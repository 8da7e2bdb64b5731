import { z } from 'zod';
import { runInWorker } from '../sdk/workers';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { variablesSchema } from '../sdk/variables-schema';
import type * as worker from './sandbox-worker.mjs';

const MODULE = 'server/tools/code/sandbox-worker.mjs';
/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const MAX_CODE_CHARS = 200_000;
const MAX_VARIABLES = 100;
/** For the start of the sandbox, and for what its own clock cannot interrupt. */
const SPARE_MS = 3_000;

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,62}$/;

const input = z.object({
  code: z
    .string()
    .min(1)
    .max(MAX_CODE_CHARS)
    .describe(
      'The program. Its value is that of the last expression, or what a return at the top gives; await works. Modern JavaScript without imports, network, files or a DOM.',
    ),
  variables: variablesSchema(
    MAX_VARIABLES,
    z.string().regex(IDENTIFIER, 'Names must be identifiers'),
    z.unknown(),
  )
    .default({})
    .describe('Values that the code finds under these names; any JSON.'),
  timeout_seconds: z
    .number()
    .min(0.1)
    .max(30)
    .default(10)
    .describe('Seconds it may run, up to 30; 10 when left out.'),
});

const output = z.object({
  value: z.unknown().describe('The value as JSON; null where it has none (undefined).'),
  type: z.string().describe('What the value is: number, string, array, object, undefined, bigint, …'),
  console: z
    .array(
      z.object({
        level: z.enum(['log', 'info', 'debug', 'warn', 'error']).describe('The method called.'),
        text: z.string().describe('What was written.'),
      }),
    )
    .describe(
      'What the code wrote to the console: the first 200 lines. The first 4 KiB are streamed while it runs, the rest at its end; of a run that fails, the last 2 KiB.',
    ),
  console_truncated: z.boolean().describe('Whether there was more than is given here.'),
  duration_ms: z.int().describe('How long it ran, in milliseconds.'),
});

export const runJavascript = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'run_javascript',
  displayName: 'Run JavaScript',
  description:
    'Runs a JavaScript program in a sandbox and returns its value and console output. For exact computing, reshaping JSON, parsing, simulations, or trying out a snippet. Your data comes in as variables; promises, async functions and setTimeout work. No network, no files, no packages; 64 MiB of memory and 30 seconds at most.',
  input,
  output,
  returns: 'The value of the program, what it wrote to the console, and how long it took.',
  examples: [
    {
      description: 'Sum the prices of a list that is given as a variable',
      input: {
        code: 'items.reduce((sum, item) => sum + item.price * item.count, 0)',
        variables: {
          items: [
            { price: 3, count: 2 },
            { price: 10, count: 1 },
          ],
        },
      },
    },
    {
      description: 'Primes below fifty, with a line on the console',
      input: {
        code: "const primes = [];\nfor (let n = 2; n < 50; n++) if (primes.every((p) => n % p)) primes.push(n);\nconsole.log(primes.length, 'primes');\nprimes",
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: { code, variables, timeout_seconds: seconds }, log, signal }) {
    const timeLimitMs = seconds * 1_000;
    const program = { code, variables, timeLimitMs };
    const options = { signal, timeLimitMs: timeLimitMs + SPARE_MS, onLog: log };
    return {
      output: acceptOrRefuse(await runInWorker<typeof worker.run>(MODULE, 'run', program, options)),
    };
  },
});
