/** A field of a JSON Schema, in readable form. */
export interface SchemaRow {
  /** The path from the root: `items[].name`. */
  path: string;
  depth: number;
  type: string;
  required: boolean;
  description: string;
  /** Limits in words: `1 to 500`, `default "en"`. */
  rules: string[];
  /** The allowed values, as JSON; empty if any value is allowed. */
  values: string[];
}

type Json = Record<string, unknown>;

const MAX_DEPTH = 4;
const MAX_ROWS = 200;

/** All fields of an object schema, in order, nested ones below their parents. */
export function schemaRows(schema: unknown): SchemaRow[] {
  const rows: SchemaRow[] = [];
  if (isJson(schema)) addFields(rows, schema, schema, '', 0);
  return rows.slice(0, MAX_ROWS);
}

function addFields(rows: SchemaRow[], root: Json, schema: Json, prefix: string, depth: number) {
  if (depth > MAX_DEPTH || !isJson(schema.properties)) return;
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, raw] of Object.entries(schema.properties)) {
    const field = resolve(root, raw);
    const path = prefix + name;
    rows.push({
      path,
      depth,
      type: typeText(root, field),
      required: required.includes(name),
      description: typeof field.description === 'string' ? field.description : '',
      rules: describeRules(field),
      values: listValues(field),
    });
    const inner = objectInside(root, field);
    if (inner) addFields(rows, root, inner.schema, `${path}${inner.list ? '[]' : ''}.`, depth + 1);
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Follows local references; an unresolvable one becomes the empty schema. */
function resolve(root: Json, raw: unknown): Json {
  let at = isJson(raw) ? raw : {};
  for (let hops = 0; typeof at.$ref === 'string' && hops < 8; hops++) {
    let target: unknown = root;
    for (const part of at.$ref.replace(/^#\/?/, '').split('/').filter(Boolean))
      target = isJson(target) ? target[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    if (!isJson(target)) return {};
    at = { ...target, ...(typeof at.description === 'string' && { description: at.description }) };
  }
  return at;
}

function variants(schema: Json): unknown[] {
  const list = schema.anyOf ?? schema.oneOf;
  return Array.isArray(list) ? list : [];
}

function typeText(root: Json, schema: Json): string {
  const choices = variants(schema);
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeText(root, resolve(root, choice))))].join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') {
    const item = typeText(root, resolve(root, schema.items));
    return item === 'any' ? 'list' : `list of ${item}`;
  }
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (typeof schema.type === 'string') return schema.type;
  return Array.isArray(schema.enum) ? 'one of' : 'any';
}

/** The object schema of a field, directly or as list items; null for a field of plain values. */
function objectInside(root: Json, field: Json): { schema: Json; list: boolean } | null {
  if (isJson(field.properties)) return { schema: field, list: false };
  if (field.type === 'array') {
    const item = resolve(root, field.items);
    return isJson(item.properties) ? { schema: item, list: true } : null;
  }
  for (const choice of variants(field)) {
    const inner = objectInside(root, resolve(root, choice));
    if (inner) return inner;
  }
  return null;
}

function listValues(field: Json): string[] {
  const own = Array.isArray(field.enum) ? field.enum : null;
  const inItems = isJson(field.items) && Array.isArray(field.items.enum) ? field.items.enum : null;
  return (own ?? inItems ?? []).map((value) => JSON.stringify(value));
}

/**
 * A bound as text. zod writes the safe-integer bounds into every integer schema, so those are
 * omitted.
 */
function numberText(value: unknown): string | null {
  if (typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER) return null;
  return value.toLocaleString('en-US', { maximumFractionDigits: 12 });
}

function formatRange(low: unknown, high: unknown, unit: string): string | null {
  const [from, to] = [numberText(low), numberText(high)];
  const tail = unit === '' ? '' : ` ${unit}`;
  if (from !== null && to !== null) return from === to ? `exactly ${from}${tail}` : `${from} to ${to}${tail}`;
  if (from !== null) return from === '0' && unit !== '' ? null : `at least ${from}${tail}`;
  if (to !== null) return `at most ${to}${tail}`;
  return null;
}

function describeRules(field: Json): string[] {
  const exclusive = [
    numberText(field.exclusiveMinimum) !== null ? `above ${numberText(field.exclusiveMinimum)}` : null,
    numberText(field.exclusiveMaximum) !== null ? `below ${numberText(field.exclusiveMaximum)}` : null,
  ];
  return [
    formatRange(field.minimum, field.maximum, ''),
    ...exclusive,
    formatRange(field.minLength, field.maxLength, 'characters'),
    formatRange(field.minItems, field.maxItems, 'items'),
    typeof field.format === 'string' ? field.format : null,
    'default' in field ? `default ${JSON.stringify(field.default)}` : null,
  ].filter((rule) => rule !== null);
}
