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
  return z.strictObject(shape, {
    error: ({ code, keys, inst }) =>
      code === 'unrecognized_keys'
        ? (keys as string[])
            .slice(0, MAX_NAMED)
            .map((key) => unknownField(key, listFields(inst, inPath)))
            .join('\n')
        : undefined,
  });
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
