import { inlineReferences } from './inline-references';
import { isJson, type Json, listSchemas } from './json';
import { mergeUnions } from './merge-unions';

const PROPERTY_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const MAX_NESTED_UNIONS = 20;
const NUMBER_FORMATS = new Set(['float', 'double', 'int32', 'int64']);
type GeminiType = 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT';
const TYPES = new Map<unknown, GeminiType>([
  ['string', 'STRING'],
  ['number', 'NUMBER'],
  ['integer', 'INTEGER'],
  ['boolean', 'BOOLEAN'],
  ['array', 'ARRAY'],
  ['object', 'OBJECT'],
]);
/** Any value: `Schema` has no type for it. */
const ANY: readonly Json[] = [
  { type: 'STRING' },
  { type: 'NUMBER' },
  { type: 'BOOLEAN' },
  { type: 'OBJECT' },
  { type: 'ARRAY', items: { type: 'STRING' } },
];

/**
 * Converts an input schema to Gemini's `Schema`, a subset of OpenAPI 3.0: without references,
 * `oneOf`, `allOf`, `const` and `additionalProperties`; `anyOf` has no siblings, `enum` is for
 * strings, and only arrays have `items`, which are required.
 * @returns undefined if it cannot express a required property
 */
export function toGeminiSchema(input: Json): Json | undefined {
  return convertObject(mergeUnions(inlineReferences(input)));
}

function convert(schema: unknown): Json | undefined {
  if (schema === false) return undefined;
  if (!isJson(schema)) return { anyOf: ANY };
  const node = mergeAll(schema);
  const isObject = node.type === 'object' || isJson(node.properties);
  const variants = [...listSchemas(node.anyOf), ...listSchemas(node.oneOf)].slice(0, MAX_NESTED_UNIONS);
  if (isObject) return describe(convertObject(mergeUnions(node)), node);
  if (variants.length > 0) return convertUnion(node, variants);
  const types = listTypes(node);
  const kinds = types.filter((type) => type !== 'null');
  if (types.length === 0) return describe({ anyOf: ANY }, node);
  const isNullable = kinds.length < types.length || node.nullable === true || listValues(node).includes(null);
  return describe(
    unite(
      kinds.map((type) => convertType(node, type)),
      isNullable,
    ),
    node,
  );
}

/** `allOf` of other than objects: later keywords replace earlier ones, which allows more. */
function mergeAll(schema: Json): Json {
  const { allOf, ...own } = schema;
  const parts = listSchemas(allOf);
  if (parts.length === 0 || own.type === 'object' || isJson(own.properties)) return schema;
  const merged = parts.map(mergeAll);
  const isObject = merged.some((part) => part.type === 'object' || isJson(part.properties));
  return isObject ? mergeUnions({ ...schema, type: 'object' }) : Object.assign({}, ...merged, own);
}

function convertUnion(node: Json, variants: readonly Json[]): Json | undefined {
  const others = variants.filter((variant) => variant.type !== 'null' && variant.const !== null);
  const isNullable = others.length < variants.length || node.nullable === true;
  return describe(unite(others.map(convert), isNullable), node);
}

/** One of these schemas; null may be an additional value. */
function unite(schemas: readonly (Json | undefined)[], isNullable: boolean): Json | undefined {
  const flat = schemas.flatMap((schema) =>
    schema === undefined ? [] : Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : [schema],
  );
  const unique = [...new Map(flat.map((schema) => [JSON.stringify(schema), schema])).values()];
  const found = isNullable ? unique.map((schema) => ({ ...schema, nullable: true })) : unique;
  const [only] = found;
  if (found.length > 1) return { anyOf: found };
  return only ?? (isNullable ? { type: 'STRING', nullable: true } : undefined);
}

/** Adds the texts of the node; in a union, which has no siblings, to its first variant. */
function describe(converted: Json | undefined, { description }: Json): Json | undefined {
  if (!converted || typeof description !== 'string') return converted;
  const { anyOf } = converted as { anyOf?: readonly Json[] };
  if (!anyOf) return { ...converted, description: joinTexts(description, converted.description) };
  const [first, ...more] = anyOf;
  return { anyOf: [{ ...first, description: joinTexts(description, first?.description) }, ...more] };
}

function joinTexts(...texts: unknown[]): string {
  return [...new Set(texts.filter((text) => typeof text === 'string'))].join(' ');
}

function listTypes(node: Json): unknown[] {
  const { type } = node;
  if (Array.isArray(type)) return type.filter((each) => each === 'null' || TYPES.has(each));
  if (type === 'null' || TYPES.has(type)) return [type];
  const values = listValues(node);
  if (values.length > 0) return [...new Set(values.map(getType))];
  return node.items !== undefined || node.prefixItems !== undefined ? ['array'] : [];
}

function getType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** The values of `enum` or `const`. */
function listValues(node: Json): unknown[] {
  if (Object.hasOwn(node, 'const')) return [node.const];
  return Array.isArray(node.enum) ? node.enum : [];
}

function convertType(node: Json, type: unknown): Json | undefined {
  switch (type) {
    case 'string':
      return convertString(node);
    case 'number':
    case 'integer':
      return convertNumber(node, type);
    case 'array':
      return convertArray(node);
    case 'object':
      return convertObject(node);
    default:
      return { type: 'BOOLEAN', ...pick(node, 'default') };
  }
}

function convertString(node: Json): Json {
  const values = listValues(node).filter((value) => typeof value === 'string');
  // An empty value is refused.
  const isListed = values.length > 0 && !values.includes('');
  return {
    type: 'STRING',
    ...(isListed ? { enum: values } : pick(node, 'minLength', 'maxLength')),
    ...(node.format === 'date-time' && !isListed ? { format: 'date-time' } : {}),
    ...pick(node, 'default'),
  };
}

function convertNumber(node: Json, type: 'number' | 'integer'): Json {
  const values = listValues(node).filter((value) => typeof value === 'number');
  const { exclusiveMinimum, exclusiveMaximum, format } = node;
  const minimum = node.minimum ?? exclusiveMinimum;
  const maximum = node.maximum ?? exclusiveMaximum;
  return {
    type: TYPES.get(type),
    ...(isBound(minimum) ? { minimum } : {}),
    ...(isBound(maximum) ? { maximum } : {}),
    ...(typeof format === 'string' && NUMBER_FORMATS.has(format) ? { format } : {}),
    ...(values.length > 0 ? { description: `One of: ${values.join(', ')}.` } : {}),
    ...pick(node, 'default'),
  };
}

/** Not a bound that only says that the number is exact. */
function isBound(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function convertArray(node: Json): Json | undefined {
  const first = Array.isArray(node.prefixItems) ? node.prefixItems : [];
  const rest = node.items === undefined && first.length > 0 ? [] : [node.items ?? true];
  const items = unite([...first, ...rest].slice(0, MAX_NESTED_UNIONS).map(convert), false);
  return items && { type: 'ARRAY', items, ...pick(node, 'minItems', 'maxItems') };
}

function convertObject(node: Json): Json | undefined {
  const required = Array.isArray(node.required) ? node.required : [];
  const properties: [string, Json][] = [];
  for (const [name, property] of Object.entries(isJson(node.properties) ? node.properties : {})) {
    const converted = PROPERTY_NAME.test(name) ? convert(property) : undefined;
    if (converted) properties.push([name, converted]);
    else if (required.includes(name)) return undefined;
  }
  const names = properties.map(([name]) => name).filter((name) => required.includes(name));
  return {
    type: 'OBJECT',
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(names.length > 0 ? { required: names } : {}),
  };
}

function pick(node: Json, ...keys: string[]): Json {
  return Object.fromEntries(keys.filter((key) => node[key] !== undefined).map((key) => [key, node[key]]));
}
