import { z } from 'zod';
import { isExactJson } from './replace-inexact-numbers.mjs';
import { MAX_JSON_DEPTH, MAX_JSON_PARTS, scanJson } from './scan-json';

/** Fields that also accept the JSON text of an object. */
const JSON_TEXT_FIELDS = new WeakSet<z.core.$ZodType>();
/** Numbers of a longer text are not compared digit by digit: that takes 16 ms per 16 KiB. */
const MAX_COMPARED_BYTES = 16_384;

/** Lets an object be sent as its JSON text too, as models do. Call it last: copies forget it. */
export function acceptJsonText<Schema extends z.ZodType>(schema: Schema): Schema {
  JSON_TEXT_FIELDS.add(schema);
  return schema;
}

/**
 * Prepares what models send for validation: removes fields that are null and may be absent, at any
 * depth, and parses `acceptJsonText` fields. Copies only what changes.
 */
export function readLeniently(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return readLeniently(schema.def.innerType, value);
  if (typeof value === 'string' && JSON_TEXT_FIELDS.has(schema)) return parseObject(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? readItems(schema, value) : value;
  return schema instanceof z.ZodObject && !Array.isArray(value) ? readFields(schema.def.shape, value) : value;
}

function readItems({ def }: z.ZodArray, items: unknown[]): unknown[] {
  const changed = items.map((item) => readLeniently(def.element, item));
  return changed.some((item, at) => item !== items[at]) ? changed : items;
}

function readFields(shape: Readonly<Record<string, z.core.$ZodType>>, value: object): object {
  let copy: Map<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) continue;
    const isAbsent = field === null && mayBeAbsent(schema) && !z.safeParse(schema, null).success;
    const changed = isAbsent ? undefined : readLeniently(schema, field);
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

/** Undefined unless the text is an object whose numbers a double holds. */
function parseObject(text: string): object | undefined {
  const bytes = Buffer.from(text);
  const { parts, depth, mayLoseDigits } = scanJson(bytes);
  if (parts > MAX_JSON_PARTS || depth > MAX_JSON_DEPTH) return undefined;
  if (mayLoseDigits && (bytes.length > MAX_COMPARED_BYTES || !isExactJson(bytes))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
