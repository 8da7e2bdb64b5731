// Ajv validates a schema with $async by a promise: any value passes as valid, and a wrong one
// rejects it where nobody listens. Refused at every level, because a $ref can lead to any of them.

/** Keywords whose value maps names to schemas: `$async` in it is a name. */
const SCHEMAS_BY_NAME = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
/** Keywords whose value is data. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * @param {unknown} schema
 * @returns {string | null} the JSON Pointer of the first `$async`; null where there is none
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
