import { type JsonSchema, listAllowedValues } from './json-schema';

/** A bound as text; safe-integer bounds are omitted. */
function bound(value: unknown): string | null {
  if (typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return null;
  return value.toLocaleString('en-US', { maximumFractionDigits: 12 });
}

function range(low: unknown, high: unknown, unit = ''): string | null {
  const [from, to] = [bound(low), bound(high)];
  if (from !== null && to !== null) return from === to ? `exactly ${from}${unit}` : `${from} to ${to}${unit}`;
  if (from !== null) return from === '0' && unit !== '' ? null : `at least ${from}${unit}`;
  return to === null ? null : `at most ${to}${unit}`;
}

/** The limits of a field in words: `1 to 500`, `email`, unless its description states them. */
export function describeLimits(schema: JsonSchema): string | null {
  if (listAllowedValues(schema)) return null;
  const rules = [
    range(schema.minimum, schema.maximum),
    bound(schema.exclusiveMinimum) && `above ${bound(schema.exclusiveMinimum)}`,
    bound(schema.exclusiveMaximum) && `below ${bound(schema.exclusiveMaximum)}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    typeof schema.format === 'string' && schema.contentMediaType === undefined ? schema.format : null,
  ].filter((rule) => typeof rule === 'string' && rule !== '');
  return rules.length > 0 ? rules.join(', ') : null;
}

/** The name of a variant, in a word or two. */
export function getVariantName(schema: JsonSchema): string {
  if (typeof schema.title === 'string') return schema.title;
  const values = listAllowedValues(schema);
  if (values) return values.map((value) => formatEnumValue(value)).join(' or ');
  switch (schema.type) {
    case 'string':
      return 'Text';
    case 'number':
      return 'Number';
    case 'integer':
      return 'Whole number';
    case 'boolean':
      return 'Yes or no';
    case 'array':
      return `List${describeItems(schema)}`;
    case 'object':
      return 'Object';
    default:
      return 'Anything';
  }
}

function describeItems({ items }: JsonSchema): string {
  const type = (items as JsonSchema | undefined)?.type;
  if (type === 'array') return ' of lists';
  return typeof type === 'string' ? ` of ${type === 'number' ? 'numbers' : `${type}s`}` : '';
}

/** An enum value as readable text. */
export function formatEnumValue(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
