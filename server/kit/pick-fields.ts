/**
 * Copies only these fields of an object, at any depth of objects and lists.
 * @param paths such as `name` or `skills.name`
 */
export function pickFields(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pickFields(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  const picked: [string, unknown][] = [];
  for (const [field, inner] of Object.entries(value)) {
    if (paths.includes(field)) {
      picked.push([field, inner]);
      continue;
    }
    const inside = paths.filter((path) => path.startsWith(`${field}.`));
    const deeper = inside.map((path) => path.slice(field.length + 1));
    if (deeper.length > 0) picked.push([field, pickFields(inner, deeper)]);
  }
  return Object.fromEntries(picked);
}
