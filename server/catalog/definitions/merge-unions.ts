import { isJson, type Json, listSchemas } from './json';

/**
 * Merges `allOf`, `anyOf` and `oneOf` of a schema of objects into its properties: APIs refuse them
 * at the top level. The result allows what any variant allows.
 */
export function mergeUnions(schema: Json): Json {
  const { allOf, anyOf, oneOf, ...own } = schema;
  const all = listSchemas(allOf).map(mergeUnions);
  const unions = [anyOf, oneOf].map((variants) => listSchemas(variants).map(mergeUnions));
  if (all.length + unions.flat().length === 0) return own;
  const { additionalProperties: _, ...rest } = own;
  const merged = new Map(Object.entries(getProperties(own)));
  const required = new Set([own, ...all].flatMap(getRequired));
  const add = (properties: Iterable<[string, unknown]>) => {
    for (const [name, property] of properties) if (!merged.has(name)) merged.set(name, property);
  };
  for (const part of all) add(Object.entries(getProperties(part)));
  for (const variants of unions) {
    add(uniteProperties(variants));
    for (const name of getRequired(variants[0] ?? {}))
      if (variants.every((variant) => getRequired(variant).includes(name))) required.add(name);
  }
  return { ...rest, type: 'object', properties: Object.fromEntries(merged), required: [...required] };
}

/** A property that variants define differently may have any of its forms. */
function uniteProperties(variants: readonly Json[]): Map<string, unknown> {
  const forms = new Map<string, Map<string, unknown>>();
  for (const variant of variants)
    for (const [name, property] of Object.entries(getProperties(variant))) {
      const known = forms.get(name) ?? new Map<string, unknown>();
      forms.set(name, known.set(JSON.stringify(property), property));
    }
  return new Map(
    [...forms].map(([name, known]) => {
      const [first, ...more] = known.values();
      return [name, more.length === 0 ? first : { anyOf: [first, ...more] }];
    }),
  );
}

function getProperties({ properties }: Json): Json {
  return isJson(properties) ? properties : {};
}

function getRequired({ required }: Json): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
