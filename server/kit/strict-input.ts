import { z } from 'zod';
import { editDistance } from './edit-distance.mjs';
import { findNearest } from './nearest';

/** What such a message begins with. */
export const UNKNOWN_FIELD = 'Unknown field';

/** Longer names are cut: they are repeated in an answer, and compared letter by letter. */
const MAX_SHOWN = 64;
const MAX_NAMED = 20;

/**
 * An object of a request: an unknown field is refused, because what it asks for would not happen
 * (contract section 1). Issues of several fields have a line for each.
 * @param inPath fields that come with the path, and are none of the body
 */
export function strictInput<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  inPath: readonly string[] = [],
) {
  return z.strictObject(shape, {
    error: ({ code, keys, inst }) =>
      code === 'unrecognized_keys'
        ? (keys as string[])
            .slice(0, MAX_NAMED)
            .map((key) => unknownField(key, fieldsOf(inst, inPath)))
            .join('\n')
        : undefined,
  });
}

/** Those of the schema that refuses, which may have been extended since. */
function fieldsOf(schema: unknown, inPath: readonly string[]): string[] {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return fields.filter((field) => !inPath.includes(field));
}

/** ``Unknown field `query`. Did you mean `q`?`` */
export function unknownField(field: string, known: readonly string[]): string {
  const shown = field.slice(0, MAX_SHOWN);
  const unknown = `${UNKNOWN_FIELD} ${quote(shown)}.`;
  const nearest = findNearest(shown, known);
  if (nearest === undefined) return `${unknown} No fields are taken here.`;
  if (isNear(shown, nearest)) return `${unknown} Did you mean ${quote(nearest)}?`;
  return `${unknown} Known fields: ${known.slice(0, MAX_NAMED).map(quote).join(', ')}.`;
}

/** A slip of some letters, or an abbreviation. */
function isNear(field: string, known: string): boolean {
  const [a, b] = [field.toLowerCase(), known.toLowerCase()];
  if (a.startsWith(b) || b.startsWith(a)) return true;
  return editDistance(a, b) <= Math.max(1, Math.floor(Math.min(a.length, b.length) / 3));
}

/** On one line whatever the name is. */
function quote(name: string): string {
  return `\`${JSON.stringify(name).slice(1, -1)}\``;
}
