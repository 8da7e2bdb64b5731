import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './evaluate-worker.mjs';

const MODULE = 'server/tools/math/evaluate-worker.mjs';
const MAX_EXPRESSION_CHARS = 10_000;
const MAX_VARIABLES = 100;
/** In all variables; the gateway's main thread validates each, several times if one is invalid. */
const MAX_VALUES = 10_000;

const realNumber = z.union([
  z.number(),
  z
    .string()
    .max(1_000)
    .regex(
      /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,4})?\s*$/i,
      'Write a number as text like 12, -0.5 or 1.2e-3.',
    ),
]);
const variable = z.union([
  realNumber,
  z.array(realNumber).max(MAX_VALUES),
  z.array(z.array(realNumber).max(1_000)).max(1_000),
]);

/** Counts the numbers before the schema checks each: a body can hold hundreds of thousands. */
function refuseTooMany(variables: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof variables !== 'object' || variables === null) return variables;
  const given = Object.values(variables);
  if (given.length > MAX_VARIABLES) context.addIssue(`Pass at most ${MAX_VARIABLES} variables.`);
  let count = 0;
  for (const value of given) {
    if (count > MAX_VALUES) break;
    const rows = Array.isArray(value) && value.length <= MAX_VALUES ? value : [value];
    for (const row of rows) count += Array.isArray(row) ? row.length : 1;
  }
  if (count > MAX_VALUES) context.addIssue(`Pass at most ${MAX_VALUES} numbers in all variables.`);
  return variables;
}

const input = z.object({
  expression: z
    .string()
    .trim()
    .min(1)
    .max(MAX_EXPRESSION_CHARS)
    .describe(
      'The formula, for instance "2 * (3 + 4)", "sqrt(x^2 + y^2)", "det([1, 2; 3, 4])", "5 inch to cm" or "15% of 80" as "0.15 * 80". Several statements may be separated by semicolons; the last one is the answer. Functions: arithmetic, powers and roots, trigonometry (radians), logarithms, complex numbers, matrices, combinatorics, statistics, units.',
    ),
  variables: z
    .preprocess(
      refuseTooMany,
      z.record(
        z
          .string()
          .regex(
            /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
            'A variable name consists of letters, digits and _, and does not start with a digit.',
          ),
        variable,
      ),
    )
    .default({})
    .describe(
      'Values of the names in the expression, for instance {"x": 3, "y": 4}. A value is a number, a number as text (kept exactly for bignumber and fraction), an array of them (vector) or an array of such rows (matrix). At most 100, with 10,000 numbers in all.',
    ),
  precision: z
    .enum(['number', 'bignumber', 'fraction'])
    .default('number')
    .describe(
      'number: ordinary floating point, 14 digits; a result that is one integer has all its digits, up to 64 (the default). bignumber: decimal, 64 digits, 0.1 + 0.2 is 0.3. fraction: exact ratios such as 5/6, for rational arithmetic only.',
    ),
});

const output = z.object({
  result: z
    .string()
    .describe('The result as text, for instance "14", "[[1, 0], [0, 1]]", "2 + 3i" or "12.7 cm".'),
  number: z
    .number()
    .nullable()
    .describe(
      'The result as a number, the nearest that a double can hold; null unless it is a finite real number.',
    ),
  value: z
    .unknown()
    .describe(
      'The result as JSON: numbers, booleans, arrays for matrices, {re, im} for complex numbers, text for the rest, such as integers beyond 2^53.',
    ),
  type: z
    .string()
    .describe('Type of the value: number, BigNumber, Fraction, Complex, DenseMatrix, Unit, boolean, …'),
});

export const evaluate = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'evaluate',
  displayName: 'Evaluate expression',
  keywords:
    'calculator calculate arithmetic add multiply times divide equation solve x formula percent percentage discount square root power sine cosine logarithm matrix determinant',
  description:
    'A calculator: works out a mathematical expression or formula, with variables if you like. Arithmetic, percentages, powers, roots, logarithms, trigonometry, matrices and linear algebra (matrix determinant, inverse), complex numbers, combinatorics, exact fractions and 64-digit decimals. Takes the expression as text, returns the result as text and as a number.',
  input,
  output,
  returns: 'The result of the expression as text, as a number and as JSON.',
  examples: [
    { description: 'Calculate simple arithmetic', input: { expression: '2 * (3 + 4)' } },
    {
      description: 'The length of a hypotenuse, with variables',
      input: { expression: 'sqrt(a^2 + b^2)', variables: { a: 3, b: 4 } },
    },
    { description: 'Add fractions exactly', input: { expression: '1/3 + 1/6', precision: 'fraction' } },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.1 },
  async run({ input: payload, signal }) {
    const answer = await runInWorker<typeof worker.evaluate>(MODULE, 'evaluate', payload, { signal });
    if (!answer.ok) throw new InputError(answer.message);
    const { result, number, value, type } = answer;
    return { output: { result, number, value, type } };
  },
});

/** Loads mathjs in a worker process, so that the first call does not wait for it. Never rejects. */
export async function warmMath(): Promise<void> {
  const signal = new AbortController().signal;
  await runInWorker<typeof worker.warm>(MODULE, 'warm', undefined, { signal }).catch(() => undefined);
}
