import { z } from 'zod';
import { editDistance } from './edit-distance.mjs';
import { findNearest } from './nearest';

/** The prefix of the message about an unknown field. */
export const UNKNOWN_FIELD = 'Unknown field';

/** Longer names are cut: they are repeated in the response and compared letter by letter. */
const MAX_SHOWN = 64;
const MAX_NAMED = 20;

/**
 * A request object that rejects unknown fields: ignoring one would silently not do what the client
 * requested (contract section 1). The message has one line per field.
 * @param inPath fields that come from the path and are not part of the body
 */
export function strictInput<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  inPath: readonly string[] = [],
) {
  return z.strictObject(shape, { error: (issue) => describeUnknown(issue, inPath) });
}

/**
 * The same schema with objects, at any depth, that reject unknown fields. Objects that allow other
 * fields, and members of unions, stay as they are.
 */
export function makeStrict(schema: z.ZodType): z.ZodType {
  const strict = toStrict(schema);
  return strict instanceof z.ZodType ? strict : schema;
}

function toStrict(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodObject) return toStrictObject(schema);
  if (schema instanceof z.ZodArray)
    return z.core.clone(schema, { ...schema.def, element: toStrict(schema.def.element) }, KEEP_META);
  if (schema instanceof z.ZodOptional)
    return z.core.clone(schema, { ...schema.def, innerType: toStrict(schema.def.innerType) }, KEEP_META);
  if (schema instanceof z.ZodDefault)
    return z.core.clone(schema, { ...schema.def, innerType: toStrict(schema.def.innerType) }, KEEP_META);
  if (schema instanceof z.ZodNullable)
    return z.core.clone(schema, { ...schema.def, innerType: toStrict(schema.def.innerType) }, KEEP_META);
  return schema;
}

function toStrictObject(schema: z.ZodObject): z.ZodObject {
  const { def } = schema;
  if (def.catchall !== undefined) return schema;
  const fields = Object.entries(def.shape).map(([name, field]) => [name, toStrict(field)]);
  const error: z.core.$ZodErrorMap = (issue) => describeUnknown(issue, []);
  const strict = { ...def, shape: Object.fromEntries(fields), catchall: z.never(), error };
  return z.core.clone(schema, strict, KEEP_META);
}

/** A clone has the descriptions of its parent. */
const KEEP_META = { parent: true } as const;

function describeUnknown(
  { code, keys, inst }: z.core.$ZodRawIssue,
  inPath: readonly string[],
): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  return (keys as string[])
    .slice(0, MAX_NAMED)
    .map((key) => unknownField(key, listFields(inst, inPath)))
    .join('\n');
}

/** The fields of the schema that rejects, which may be an extended copy. */
function listFields(schema: unknown, inPath: readonly string[]): string[] {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return fields.filter((field) => !inPath.includes(field));
}

/** Formats ``Unknown field `query`. Did you mean `q`?`` */
export function unknownField(field: string, known: readonly string[]): string {
  const shown = field.slice(0, MAX_SHOWN);
  const unknown = `${UNKNOWN_FIELD} ${quote(shown)}.`;
  const nearest = findNearest(shown, known);
  if (nearest === undefined) return `${unknown} No fields are accepted here.`;
  if (isNear(shown, nearest)) return `${unknown} Did you mean ${quote(nearest)}?`;
  return `${unknown} Known fields: ${known.slice(0, MAX_NAMED).map(quote).join(', ')}.`;
}

/** A typo of a few letters, or an abbreviation. */
function isNear(field: string, known: string): boolean {
  const [a, b] = [field.toLowerCase(), known.toLowerCase()];
  if (a.startsWith(b) || b.startsWith(a)) return true;
  return editDistance(a, b) <= Math.max(1, Math.floor(Math.min(a.length, b.length) / 3));
}

/** Escapes line breaks in the name. */
function quote(name: string): string {
  return `\`${JSON.stringify(name).slice(1, -1)}\``;
}
