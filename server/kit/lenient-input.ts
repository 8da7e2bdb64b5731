import { z } from 'zod';
import { isExactJson } from './replace-inexact-numbers.mjs';
import { MAX_JSON_DEPTH, MAX_JSON_PARTS, scanJson } from './scan-json';

/** Fields that also accept the JSON text of an object. */
const JSON_TEXT_FIELDS = new WeakSet<z.core.$ZodType>();
/** By schema: a body may have a hundred thousand nulls. */
const nullAbsent = new WeakMap<z.core.$ZodType, boolean>();
/** Numbers are compared digit by digit in this much text: it takes up to 16 ms. */
const MAX_COMPARED_BYTES = 16_384;

/** What the texts of one body may have together, so that they do not block the event loop. */
interface Budget {
  parts: number;
  comparedBytes: number;
}

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
  return read(schema, value, { parts: MAX_JSON_PARTS, comparedBytes: MAX_COMPARED_BYTES });
}

function read(schema: z.core.$ZodType, value: unknown, budget: Budget): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return read(schema.def.innerType, value, budget);
  if (typeof value === 'string' && JSON_TEXT_FIELDS.has(schema)) return parseObject(value, budget) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? readItems(schema, value, budget) : value;
  return schema instanceof z.ZodObject && !Array.isArray(value)
    ? readFields(schema.def.shape, value, budget)
    : value;
}

function readItems({ def }: z.ZodArray, items: unknown[], budget: Budget): unknown[] {
  // Too many are refused anyway, whatever they are.
  if (items.length > findMaximum(def.checks)) return items;
  const changed = items.map((item) => read(def.element, item, budget));
  return changed.some((item, at) => item !== items[at]) ? changed : items;
}

function findMaximum(checks: z.core.$ZodArrayDef['checks'] = []): number {
  const maxima = checks.map(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : Infinity));
  return Math.min(Infinity, ...maxima);
}

function readFields(shape: Readonly<Record<string, z.core.$ZodType>>, value: object, budget: Budget): object {
  let copy: Map<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schema === undefined) continue;
    const isAbsent = field === null && isNullAbsent(schema);
    const changed = isAbsent ? undefined : read(schema, field, budget);
    if (!isAbsent && changed === field) continue;
    copy ??= new Map(Object.entries(value));
    if (isAbsent) copy.delete(name);
    else copy.set(name, changed);
  }
  return copy ? Object.fromEntries(copy) : value;
}

/** Whether null means that an optional field is absent; it does not where null is a value. */
function isNullAbsent(schema: z.core.$ZodType): boolean {
  const known = nullAbsent.get(schema);
  if (known !== undefined) return known;
  const isOptional = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  const found = isOptional && !z.safeParse(schema, null).success;
  nullAbsent.set(schema, found);
  return found;
}

/** Undefined unless the text is an object whose numbers a double holds. */
function parseObject(text: string, budget: Budget): object | undefined {
  const bytes = Buffer.from(text);
  const { parts, depth, mayLoseDigits } = scanJson(bytes);
  budget.parts -= parts;
  if (budget.parts < 0 || depth > MAX_JSON_DEPTH) return undefined;
  if (mayLoseDigits) {
    budget.comparedBytes -= bytes.length;
    if (budget.comparedBytes < 0 || !isExactJson(bytes)) return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
