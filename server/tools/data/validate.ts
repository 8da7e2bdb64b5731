import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { dialectOutput, openSource, readingInput, tableFile } from './table-file';
import type * as worker from './validate-worker.mjs';

const MODULE = 'server/tools/data/validate-worker.mjs';
/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;
/** Patterns in a schema can cause catastrophic backtracking. */
const TIME_LIMIT_MS = 10_000;

const input = z.object({
  schema: z
    .record(z.string(), z.unknown())
    .describe('The JSON Schema, draft 2020-12 (or 07, if its $schema names it). $ref works only within it.'),
  data: z.unknown().optional().describe('The value to check: any JSON. Alternatively pass file.'),
  file: tableFile.optional(),
  ...readingInput,
  each_item: z
    .boolean()
    .default(false)
    .describe(
      'Check each item of a list separately. Rows of CSV and Parquet and lines of JSON Lines are always checked separately.',
    ),
  max_errors: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('Maximum number of errors to list, up to 100; 20 by default.'),
});

const output = z.object({
  valid: z.boolean().describe('Whether all values match the schema.'),
  checked: z.int().describe('Number of values or rows checked.'),
  invalid: z.int().describe('Number of values or rows that do not match.'),
  errors: z
    .array(
      z.object({
        row: z.int().optional().describe('Number of the row or item, from 1.'),
        path: z.string().describe('JSON Pointer into the value; empty for the value itself.'),
        keyword: z.string().describe('Keyword of the schema that is violated.'),
        message: z.string().describe('What is wrong.'),
      }),
    )
    .describe('The first errors.'),
  dialect: dialectOutput.optional(),
});

export const validate = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'validate',
  displayName: 'Validate against a JSON Schema',
  keywords: 'json schema check payload valid conform match records',
  description:
    'Checks JSON, or every row of a CSV, JSON Lines or Parquet file, against a JSON Schema (draft 2020-12 or 07, with formats such as email, date and uri) and lists what is wrong and where. JSON files up to 20 MiB, tables up to 100 MiB.',
  input,
  output,
  returns: 'Whether it is valid, how many rows are not, and the first errors with their places.',
  examples: [
    {
      description: 'An order whose quantity is missing and whose address is no e-mail',
      input: {
        schema: {
          type: 'object',
          required: ['email', 'quantity'],
          properties: {
            email: { type: 'string', format: 'email' },
            quantity: { type: 'integer', minimum: 1 },
          },
        },
        data: { email: 'nobody' },
      },
    },
    {
      description: 'Every row of a CSV',
      input: {
        file: 'asset_sample_sales',
        schema: {
          type: 'object',
          required: ['region', 'units'],
          properties: { units: { type: 'integer', minimum: 0 }, date: { format: 'date' } },
        },
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: request, files, signal }) {
    const { schema, data, file, each_item: eachItem, max_errors: maxErrors, ...reading } = request;
    if ((data === undefined) === (file === undefined))
      throw new InputError('data, file: pass exactly one of them.');
    const subject =
      file === undefined
        ? { value: data }
        : { source: await openSource({ file, ...reading }, 'data', files) };
    const payload = { schema, subject, eachItem, maxErrors };
    const options = { signal, timeLimitMs: TIME_LIMIT_MS };
    return {
      output: acceptOrRefuse(await runInWorker<typeof worker.validate>(MODULE, 'validate', payload, options)),
    };
  },
});
