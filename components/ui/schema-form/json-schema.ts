/** An untrusted JSON Schema: check every part before use. */
export type JsonSchema = Readonly<Record<string, unknown>>;
export type JsonObject = Record<string, unknown>;

const MAX_HOPS = 8;
/** Maximum depth for finding the variant of a value. */
const MAX_DEPTH = 4;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality of JSON values, ignoring the order of fields. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

/** Follows local references; an unresolvable one becomes the empty schema. */
export function resolve(root: JsonSchema, raw: unknown): JsonSchema {
  let at: JsonSchema = isObject(raw) ? raw : {};
  for (let hops = 0; typeof at.$ref === 'string'; hops++) {
    const target = hops < MAX_HOPS ? findRef(root, at.$ref) : null;
    if (!target) return {};
    const { $ref: _, ...own } = at;
    at = { ...target, ...own };
  }
  return at;
}

function findRef(root: JsonSchema, ref: string): JsonObject | null {
  if (!ref.startsWith('#')) return null;
  let target: unknown = root;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const name = decode(part);
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return isObject(target) ? target : null;
}

function decode(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A schema's alternatives, flattened; a plain schema has one variant. */
export interface Shape {
  variants: readonly JsonSchema[];
  nullable: boolean;
}

/**
 * Flattens `anyOf`, `oneOf` and type arrays, including nested ones. Null is a flag, not a variant.
 */
export function flattenSchema(root: JsonSchema, raw: unknown): Shape {
  const found: JsonSchema[] = [];
  collectVariants(root, raw, found, 0);
  const variants = found.filter((variant) => !isNull(variant));
  return { variants: variants.length > 0 ? variants : [{}], nullable: variants.length < found.length };
}

function collectVariants(root: JsonSchema, raw: unknown, found: JsonSchema[], depth: number): void {
  const schema = resolve(root, raw);
  const { anyOf, oneOf, ...own } = schema;
  const choices = [anyOf, oneOf].filter(Array.isArray).flat();
  if (choices.length > 0 && depth < MAX_HOPS) {
    // Keywords next to the alternatives (a description, a default) apply to each of them.
    const { title: _, ...shared } = own;
    for (const choice of choices)
      collectVariants(root, { ...shared, ...resolve(root, choice) }, found, depth + 1);
  } else if (Array.isArray(own.type)) for (const type of own.type) found.push({ ...own, type });
  else found.push(own);
}

function isNull(schema: JsonSchema): boolean {
  return schema.type === 'null' || ('const' in schema && schema.const === null);
}

/** The allowed values; null if the schema does not enumerate them. */
export function listAllowedValues(schema: JsonSchema): readonly unknown[] | null {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

export function listRequired(schema: JsonSchema): readonly unknown[] {
  return Array.isArray(schema.required) ? schema.required : [];
}

/**
 * Whether a value matches a schema well enough to choose between variants. The server validates.
 */
export function looksLike(root: JsonSchema, raw: unknown, value: unknown, depth = 0): boolean {
  const { variants, nullable } = flattenSchema(root, raw);
  if (value === null && nullable) return true;
  return variants.some((variant) => looksLikeOne(root, variant, value, depth));
}

function looksLikeOne(root: JsonSchema, schema: JsonSchema, value: unknown, depth: number): boolean {
  const values = listAllowedValues(schema);
  if (values) return values.some((known) => sameJson(known, value));
  if (!isOfType(schema.type, value)) return false;
  if (typeof value === 'string' && typeof schema.pattern === 'string') return matches(schema.pattern, value);
  if (depth >= MAX_DEPTH) return true;
  if (Array.isArray(value))
    return !isObject(schema.items) || value.every((item) => looksLike(root, schema.items, item, depth + 1));
  if (!isObject(value) || !isObject(schema.properties)) return true;
  if (!listRequired(schema).every((name) => Object.hasOwn(value, String(name)))) return false;
  return Object.entries(schema.properties).every(
    ([name, field]) => !Object.hasOwn(value, name) || looksLike(root, field, value[name], depth + 1),
  );
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'string' || type === 'boolean') return typeof value === type;
  if (type === 'number') return typeof value === 'number';
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return true;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/**
 * The initial value of a new item or variant: the minimal one of its type. Undefined if empty is
 * best.
 */
export function createInitialValue(root: JsonSchema, raw: unknown): unknown {
  const { variants } = flattenSchema(root, raw);
  const schema = variants[0] ?? {};
  if ('default' in schema) return schema.default;
  const values = listAllowedValues(schema);
  if (values) return values[0];
  switch (schema.type) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' && schema.minimum > 0 ? schema.minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return listConstants(root, schema);
    default:
      return null;
  }
}

/** The fields with a single allowed value, which the form fills in itself. */
function listConstants(root: JsonSchema, schema: JsonSchema): JsonObject {
  if (!isObject(schema.properties)) return {};
  const required = listRequired(schema);
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, field]) => {
      const { variants } = flattenSchema(root, field);
      const [only] = variants;
      const fixed = variants.length === 1 && only !== undefined && 'const' in only && required.includes(name);
      return fixed ? [[name, only.const]] : [];
    }),
  );
}
