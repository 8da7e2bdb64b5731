import { z } from 'zod';

/**
 * Values under names, refused by their number before any of them is looked at: tens of thousands would hold up the
 * gateway's thread.
 * @param max how many there may be
 */
export function variablesSchema<Value extends z.ZodType>(max: number, name: z.ZodString, value: Value) {
  const refuseTooMany = (variables: unknown, context: z.core.$RefinementCtx): unknown => {
    if (typeof variables !== 'object' || variables === null) return variables;
    if (Object.keys(variables).length <= max) return variables;
    context.addIssue(`At most ${max} variables.`);
    return z.NEVER;
  };
  return z.preprocess(refuseTooMany, z.record(name, value));
}
