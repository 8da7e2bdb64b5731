import { z } from 'zod';

interface QueryInteger {
  readonly min: number;
  readonly max: number;
  /** Used if the parameter is absent. */
  readonly fallback: number;
  /** The parameter's description in the OpenAPI document. */
  readonly about: string;
}

/** A query parameter of decimal digits only: `0x10`, `1e2` and ` 5` are rejected. */
export function queryInteger({ min, max, fallback, about }: QueryInteger) {
  const message = ({ input }: { input?: unknown }) =>
    `must be a whole number from ${min} to ${max}${isNumber(input) ? `; got ${input}` : ''}.`;
  const rendered = { type: 'integer', minimum: min, maximum: max, default: fallback } as const;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error: message })
    .transform(Number)
    .pipe(z.int().min(min, { error: message }).max(max, { error: message }))
    .meta({
      description: about,
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, rendered);
      },
    })
    .default(fallback);
}

/** Whether the input is a number, which error messages may repeat; other input may be secret. */
function isNumber(input: unknown): boolean {
  return typeof input === 'number' || (typeof input === 'string' && /^-?\d{1,15}$/.test(input));
}
