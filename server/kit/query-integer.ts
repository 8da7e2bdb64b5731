import { z } from 'zod';

interface QueryInteger {
  readonly min: number;
  readonly max: number;
  /** The value where the parameter is absent. */
  readonly fallback: number;
  /** What the document says of the parameter. */
  readonly about: string;
}

/** A whole number in a query: decimal digits only, so that `0x10`, `1e2` and ` 5` are refused. */
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

/** Of what was sent only numbers are repeated. */
function isNumber(input: unknown): boolean {
  return typeof input === 'number' || (typeof input === 'string' && /^-?\d{1,15}$/.test(input));
}
