import { createHash } from 'node:crypto';

/** The longest name that all formats accept. */
const MAX_CHARS = 64;
const HASH_CHARS = 16;
const SEPARATOR = '__';
const PLAIN = /^[a-zA-Z_][a-zA-Z0-9_-]*$/;

/**
 * Returns the name of a skill's definition: `tool__skill`, or with a hash where that is too long or
 * ambiguous. Different skills have different names, which do not depend on the other definitions.
 */
export function toDefinitionName(tool: string, skill: string): string {
  const name = `${tool}${SEPARATOR}${skill}`;
  const isExact = name.indexOf(SEPARATOR) === tool.length;
  if (isExact && name.length <= MAX_CHARS && PLAIN.test(name)) return name;
  const hash = createHash('sha256')
    .update(JSON.stringify([tool, skill]))
    .digest('hex')
    .slice(0, HASH_CHARS);
  // Without the separator, so that it equals no exact name.
  const start = `${/^[a-zA-Z]/.test(name) ? '' : 't_'}${name}`
    .replace(/[^a-zA-Z0-9-]+/g, '_')
    .replace(/_+/g, '_');
  return `${start.slice(0, MAX_CHARS - HASH_CHARS - 1)}-${hash}`;
}
