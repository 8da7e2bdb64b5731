import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { variablesSchema } from '../sdk/variables-schema';
import { runInWorker } from '../sdk/workers';
import type * as worker from './sandbox-worker.mjs';

const MODULE = 'server/tools/code/sandbox-worker.mjs';
/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const MAX_CODE_CHARS = 200_000;
const MAX_VARIABLES = 100;
/** Extra time for starting the sandbox, and for operations that its own clock cannot interrupt. */
const SPARE_MS = 3_000;

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,62}$/;

const input = z.object({
  code: z
    .string()
    .min(1)
    .max(MAX_CODE_CHARS)
    .describe(
      'The program. Its value is the last expression, or that of a top-level return; await works. Modern JavaScript without imports, network, files or a DOM.',
    ),
  variables: variablesSchema(
    MAX_VARIABLES,
    z.string().regex(IDENTIFIER, 'Variable names must be JavaScript identifiers'),
    z.unknown(),
  )
    .default({})
    .describe('Global variables for the code, by name; each value is any JSON.'),
  timeout_seconds: z
    .number()
    .min(0.1)
    .max(30)
    .default(10)
    .describe('Time limit in seconds, up to 30; 10 by default.'),
});

const output = z.object({
  value: z.unknown().describe('The value as JSON; null if it is undefined.'),
  type: z.string().describe('Type of the value: number, string, array, object, undefined, bigint, …'),
  console: z
    .array(
      z.object({
        level: z.enum(['log', 'info', 'debug', 'warn', 'error']).describe('The console method called.'),
        text: z.string().describe('The text written.'),
      }),
    )
    .describe(
      'The first 200 lines of console output. The first 4 KiB are streamed while the code runs and the rest when it completes; if it fails, only the last 2 KiB of the rest.',
    ),
  console_truncated: z.boolean().describe('Whether there was more console output than is returned here.'),
  duration_ms: z.int().describe('Run time in milliseconds.'),
});

export const runJavascript = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'run_javascript',
  displayName: 'Run JavaScript',
  keywords:
    'execute evaluate run program script snippet function code js node sandbox interpreter algorithm untrusted',
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
