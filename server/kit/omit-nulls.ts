import { z } from 'zod';

/**
 * Removes fields that are null and may be absent, at any depth: strict modes of models send every
 * field. Copies only what changes.
 */
export function omitNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return omitNulls(schema.def.innerType, value);
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? omitInItems(schema, value) : value;
  return schema instanceof z.ZodObject && !Array.isArray(value)
    ? omitInFields(schema.def.shape, value)
    : value;
}

function omitInItems({ def }: z.ZodArray, items: unknown[]): unknown[] {
  const changed = items.map((item) => omitNulls(def.element, item));
  return changed.some((item, at) => item !== items[at]) ? changed : items;
}

function omitInFields(shape: Readonly<Record<string, z.core.$ZodType>>, value: object): object {
  let copy: Map<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) continue;
    const isAbsent = field === null && mayBeAbsent(schema) && !z.safeParse(schema, null).success;
    const changed = isAbsent ? undefined : omitNulls(schema, field);
    if (!isAbsent && changed === field) continue;
    copy ??= new Map(Object.entries(value));
    if (isAbsent) copy.delete(name);
    else copy.set(name, changed);
  }
  return copy ? Object.fromEntries(copy) : value;
}

function mayBeAbsent(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}
