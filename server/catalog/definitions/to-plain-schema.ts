import { inlineReferences } from './inline-references';
import { isJson, type Json } from './json';
import { mergeUnions } from './merge-unions';

/**
 * Converts an input schema for APIs that take JSON Schema, but no references, no unions at the top
 * level and no arrays without `items`.
 * @param propertyName what the API accepts; others are left out
 * @returns undefined if a required property has another name
 */
export function toPlainSchema(input: Json, propertyName: RegExp): Json | undefined {
  const { enum: _, const: __, ...root } = mergeUnions(inlineReferences(input));
  return clean({ properties: {}, ...root, type: 'object' }, propertyName) as Json | undefined;
}

function clean(schema: unknown, propertyName: RegExp): unknown {
  if (!isJson(schema)) return schema;
  const cleaned: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isJson(value)) {
      const properties = cleanProperties(value, schema.required, propertyName);
      if (!properties) return undefined;
      cleaned.push([key, properties]);
    } else if (key === 'items' || key === 'additionalProperties') {
      const inner = clean(value, propertyName);
      if (inner === undefined) return undefined;
      cleaned.push([key, inner]);
    } else if (Array.isArray(value) && ['allOf', 'anyOf', 'oneOf', 'prefixItems'].includes(key)) {
      const inner = value.map((each) => clean(each, propertyName));
      const kept = inner.filter((each) => each !== undefined);
      if (kept.length === 0 || (key !== 'anyOf' && key !== 'oneOf' && kept.length < inner.length))
        return undefined;
      cleaned.push([key, kept]);
    } else cleaned.push([key, value]);
  }
  const { type } = schema;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (isArray && schema.items === undefined) cleaned.push(['items', {}]);
  return Object.fromEntries(cleaned);
}

function cleanProperties(properties: Json, required: unknown, propertyName: RegExp): Json | undefined {
  const cleaned: [string, unknown][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const inner = propertyName.test(name) ? clean(property, propertyName) : undefined;
    if (inner !== undefined) cleaned.push([name, inner]);
    else if (Array.isArray(required) && required.includes(name)) return undefined;
  }
  return Object.fromEntries(cleaned);
}
