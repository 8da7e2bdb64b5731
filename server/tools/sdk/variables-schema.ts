import { z } from 'zod';

/**
 * A record of named values. Counts them before validating any, because tens of thousands would
 * block the event loop.
 * @param max maximum number of values
 */
export function variablesSchema<Value extends z.ZodType>(max: number, name: z.ZodString, value: Value) {
  const refuseTooMany = (variables: unknown, context: z.core.$RefinementCtx): unknown => {
    if (typeof variables !== 'object' || variables === null) return variables;
    if (Object.keys(variables).length <= max) return variables;
    context.addIssue(`Pass at most ${max} variables.`);
    return z.NEVER;
  };
  return z.preprocess(refuseTooMany, z.record(name, value));
}
