import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Definitions, Format } from '../definitions/formats';
import { isJson, type Json } from '../definitions/json';

// What the documentation of each API says about definitions of functions, in November 2026.

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const GEMINI_NAME = /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/;
const ANTHROPIC_PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;
const GEMINI_PROPERTY = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const GEMINI_FIELDS: Record<string, readonly string[]> = {
  STRING: ['enum', 'format', 'minLength', 'maxLength'],
  NUMBER: ['format', 'minimum', 'maximum'],
  INTEGER: ['format', 'minimum', 'maximum'],
  BOOLEAN: [],
  ARRAY: ['items', 'minItems', 'maxItems'],
  OBJECT: ['properties', 'required'],
};
const GEMINI_FORMATS = ['date-time', 'float', 'double', 'int32', 'int64'];
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** The functions in a response, with their input schema. */
export function listFunctions({ format, definitions }: Definitions): (Json & { schema: Json | undefined })[] {
  const functions =
    format === 'gemini' ? definitions.flatMap((each) => each.functionDeclarations) : definitions;
  return (functions as Json[]).map((each) => {
    const inner = format === 'openai' ? (each.function as Json) : each;
    const schema = inner.parameters ?? inner.input_schema ?? inner.inputSchema;
    return { ...inner, schema: schema as Json | undefined };
  });
}

/** What the API would refuse. */
export function findRefusals(found: Definitions): string[] {
  const functions = listFunctions(found);
  const names = functions.map(({ name }) => String(name));
  const limit = { openai: 128, gemini: 128, anthropic: 10_000, mcp: 10_000 }[found.format];
  const name = found.format === 'gemini' ? GEMINI_NAME : NAME;
  return [
    ...(functions.length > limit ? [`more than ${limit}`] : []),
    ...(new Set(names).size < names.length ? ['a name twice'] : []),
    ...names.filter((each) => !name.test(each)).map((each) => `the name ${each}`),
    ...functions.flatMap(({ name: of, description, schema }) => [
      ...(String(description).length > 1024 ? [`${of}: its description is too long`] : []),
      ...findSchemaRefusals(found.format, schema).map((problem) => `${of}: ${problem}`),
    ]),
  ];
}

/** What the API would refuse in an input schema; Gemini takes none for a function without input. */
export function findSchemaRefusals(format: Format, schema: Json | undefined): string[] {
  if (format === 'gemini') return schema === undefined ? [] : findGeminiRefusals(schema, '');
  if (schema?.type !== 'object') return ['the type is not object'];
  if (format === 'mcp') return [];
  const unions = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'].filter((key) => key in schema);
  const problems = unions.map((key) => `${key} at the top level`);
  if (!isJson(schema.properties)) problems.push('no properties');
  walk(schema, (node) => {
    if ('$ref' in node || '$defs' in node) problems.push('a reference');
    if (node.type === 'array' && node.items === undefined) problems.push('an array without items');
    const names = isJson(node.properties) ? Object.keys(node.properties) : [];
    if (format === 'anthropic' && names.some((name) => !ANTHROPIC_PROPERTY.test(name)))
      problems.push('the name of a property');
  });
  if (!ajv.validateSchema(schema)) problems.push(ajv.errorsText());
  return problems;
}

/** Visits a schema and the schemas in it. */
function walk(schema: unknown, visit: (node: Json) => void): void {
  if (!isJson(schema)) return;
  visit(schema);
  if (isJson(schema.properties)) for (const each of Object.values(schema.properties)) walk(each, visit);
  for (const key of ['items', 'additionalProperties']) walk(schema[key], visit);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    if (Array.isArray(schema[key])) for (const each of schema[key]) walk(each, visit);
}

function findGeminiRefusals(schema: unknown, at: string): string[] {
  if (!isJson(schema)) return [`${at}: not a schema`];
  if ('anyOf' in schema) {
    if (Object.keys(schema).length > 1) return [`${at}: anyOf has siblings`];
    return (schema.anyOf as unknown[]).flatMap((each, index) => findGeminiRefusals(each, `${at}|${index}`));
  }
  const fields = GEMINI_FIELDS[String(schema.type)];
  if (!fields) return [`${at}: the type ${schema.type}`];
  const known = ['type', 'description', 'nullable', 'default', ...fields];
  const problems = Object.keys(schema).flatMap((key) => (known.includes(key) ? [] : [`${at}: ${key}`]));
  const { properties = {}, required = [], items, enum: values, format } = schema as Record<string, Json>;
  if (Array.isArray(values) && values.some((value) => typeof value !== 'string' || value === ''))
    problems.push(`${at}: an empty or other value`);
  if (format !== undefined && !GEMINI_FORMATS.includes(String(format))) problems.push(`${at}: a format`);
  if (schema.type === 'ARRAY') problems.push(...findGeminiRefusals(items, `${at}[]`));
  if ('properties' in schema && Object.keys(properties).length === 0) problems.push(`${at}: no properties`);
  for (const name of Array.isArray(required) ? required.map(String) : [])
    if (!Object.hasOwn(properties, name)) problems.push(`${at}: ${name} is required only`);
  for (const [name, property] of Object.entries(properties)) {
    if (!GEMINI_PROPERTY.test(name)) problems.push(`${at}: the property ${name}`);
    problems.push(...findGeminiRefusals(property, `${at}.${name}`));
  }
  return problems;
}

/** Converts Gemini's schema back to JSON Schema, to validate values. */
export function fromGeminiSchema(schema: Json): Json {
  const { type, nullable, items, properties, anyOf, enum: values, ...rest } = schema;
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((each) => fromGeminiSchema(each as Json)) };
  const name = String(type).toLowerCase();
  return {
    ...rest,
    type: nullable === true ? [name, 'null'] : name,
    ...(Array.isArray(values) ? { enum: nullable === true ? [...values, null] : values } : {}),
    ...(isJson(items) ? { items: fromGeminiSchema(items) } : {}),
    ...(isJson(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [key, fromGeminiSchema(value as Json)]),
          ),
        }
      : {}),
  };
}
