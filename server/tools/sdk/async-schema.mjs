// Ajv returns a promise for a schema with $async: it counts as valid, and its rejection goes
// unhandled. $async is refused at every level, because a $ref can lead to each.

/** Keywords that map names to schemas; `$async` as a key of their value is only a name. */
const SCHEMAS_BY_NAME = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
/** Keywords with data as their value. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * @param {unknown} schema
 * @returns {string | null} the JSON Pointer of the first `$async`; null if there is none
 */
export function findAsync(schema) {
  /** @type {{ value: unknown, path: string, names: boolean }[]} */
  const open = [{ value: schema, path: '', names: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, names } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      const itemPath = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!names && key === '$async' && item !== false) return itemPath;
      if (names || !DATA.has(key))
        open.push({ value: item, path: itemPath, names: !names && SCHEMAS_BY_NAME.has(key) });
    }
  }
  return null;
}
