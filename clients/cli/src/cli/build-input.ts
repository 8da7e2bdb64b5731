import { findClosest } from './closest.js';
import type { FieldArgument } from './command.js';
import { findInexactNumber, isExactNumber } from './exact-number.js';
import { describeType, type JsonSchema, listAlternatives, resolveReferences } from './json-schema.js';
import { usageError } from './usage-error.js';

const INTEGER = /^-?[1-9]\d*$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

type Input = Record<string, unknown>;
type Coerced = { value: unknown } | { wrong: string };
interface FieldProblem {
  path: string;
  message: string;
}

/**
 * Builds a call's input from `--name value` flags, converting each value to its type in the schema:
 * repeated flags make a list, `--name.part value` an object, `--name` true and `--no-name` false.
 * @param base the value of `--input`; fields override it
 * @throws GatewayError USAGE that lists every invalid field
 */
export function buildInputFromFields(
  schema: JsonSchema,
  fields: readonly FieldArgument[],
  base: Input = {},
): Input {
  const input: Input = structuredClone(base);
  const wrong: FieldProblem[] = [];
  for (const [name, values] of groupByField(schema, fields)) {
    const path = splitFieldName(schema, name);
    const field = findSchema(schema, path);
    if (field === undefined) {
      wrong.push({ path: name, message: describeUnknownField(schema, name) });
      continue;
    }
    const coerced = coerce(field, values, schema);
    if ('wrong' in coerced) wrong.push({ path: path.join('.'), message: coerced.wrong });
    else if (!setAtPath(input, path, coerced.value))
      wrong.push({ path: path.join('.'), message: 'is nested in a value that is not an object' });
  }
  for (const name of schema.required ?? [])
    if (
      !Object.hasOwn(input, name) &&
      !wrong.some(({ path }) => path === name || path.startsWith(`${name}.`))
    )
      wrong.push({
        path: name,
        message: `is missing (${describeType(schema.properties?.[name] ?? {}, schema)})`,
      });
  if (wrong.length === 0) return input;
  throw usageError(
    'The input does not match the schema of the skill.',
    'Correct the fields; tool-gateway info <tool> <skill> lists them.',
    wrong,
  );
}

/** The path and the schema of each field that was typed, `--object.part` included. */
export function listTypedFields(
  schema: JsonSchema,
  fields: readonly FieldArgument[],
): { path: string[]; field: JsonSchema }[] {
  return [...groupByField(schema, fields).keys()].flatMap((name) => {
    const path = splitFieldName(schema, name);
    const field = findSchema(schema, path);
    return field ? [{ path, field }] : [];
  });
}

/** Groups values by field: `--no-name` sets `name` to false, kebab-case matches snake_case. */
function groupByField(
  schema: JsonSchema,
  fields: readonly FieldArgument[],
): Map<string, (string | undefined)[]> {
  const known = schema.properties ?? {};
  const groups = new Map<string, (string | undefined)[]>();
  for (const { name: typed, value: given } of fields) {
    const negated =
      given === undefined && typed.startsWith('no-') ? findFieldName(known, typed.slice(3)) : undefined;
    const name = findFieldName(known, typed) ?? negated ?? typed;
    const value = name === negated ? 'false' : given;
    groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return groups;
}

function findFieldName(known: Record<string, JsonSchema>, name: string): string | undefined {
  return [name, name.replaceAll('-', '_')].find((candidate) => Object.hasOwn(known, candidate));
}

/** Splits a name at its dots, unless the schema has a field of exactly that name. */
function splitFieldName(schema: JsonSchema, name: string): string[] {
  return Object.hasOwn(schema.properties ?? {}, name) ? [name] : name.split('.');
}

function findSchema(root: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  let at: JsonSchema | undefined = root;
  for (const part of path) {
    if (at === undefined || part === '' || part === '__proto__') return undefined;
    at = listAlternatives(at, root)
      .map((choice) => findPropertySchema(choice, part))
      .find((found) => found !== undefined);
  }
  return at && resolveReferences(at, root);
}

/** The schema of a property, declared or additional. */
export function findPropertySchema(schema: JsonSchema, part: string): JsonSchema | undefined {
  const { properties = {}, additionalProperties: more } = schema;
  if (Object.hasOwn(properties, part)) return properties[part];
  if (typeof more === 'object') return more;
  return more === true || acceptsAnyValue(schema) ? {} : undefined;
}

/** A schema without constraints accepts any value. */
function acceptsAnyValue({ type, properties, enum: choices, const: only }: JsonSchema): boolean {
  return type === undefined && properties === undefined && choices === undefined && only === undefined;
}

function describeUnknownField(schema: JsonSchema, name: string): string {
  const names = Object.keys(schema.properties ?? {});
  const near = findClosest(name, names);
  if (near) return `is not a field of this skill; did you mean --${near}?`;
  return `is not a field of this skill; its fields: ${names.length === 0 ? 'none' : names.map((known) => `--${known}`).join(', ')}`;
}

function setAtPath(input: Input, path: readonly string[], value: unknown): boolean {
  let at = input;
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(at, part)) at[part] = {};
    const inner = at[part];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return false;
    at = inner as Input;
  }
  at[path.at(-1) ?? ''] = value;
  return true;
}

/** Converts values to the type that the schema expects. */
export function coerce(
  schema: JsonSchema,
  values: readonly (string | undefined)[],
  root: JsonSchema,
): Coerced {
  const choices = listAlternatives(schema, root);
  // Any value parses as text, so text is tried last.
  const ordered = [...choices].sort((a, b) => Number(isText(a)) - Number(isText(b)));
  let wrong = '';
  for (const choice of ordered) {
    const coerced = coerceOne(choice, values, root);
    if ('value' in coerced) return coerced;
    wrong ||= coerced.wrong;
  }
  return { wrong: choices.length > 1 ? `must be ${describeType(schema, root)}` : wrong };
}

function isText({ type, enum: choices }: JsonSchema): boolean {
  return type === 'string' && choices === undefined;
}

function coerceOne(schema: JsonSchema, values: readonly (string | undefined)[], root: JsonSchema): Coerced {
  if (schema.type === 'array') return coerceList(schema, values, root);
  const [value, ...more] = values;
  if (more.length > 0) return { wrong: `is given ${values.length} times but takes one value` };
  if (value === undefined)
    return schema.type === 'boolean'
      ? { value: true }
      : { wrong: `needs a value (${describeType(schema, root)})` };
  const coerced = coerceText(schema, value);
  if ('wrong' in coerced) return coerced;
  if (schema.enum && !schema.enum.includes(coerced.value))
    return { wrong: `must be one of ${schema.enum.map(String).join(', ')}` };
  if (schema.const !== undefined && schema.const !== coerced.value)
    return { wrong: `must be ${JSON.stringify(schema.const)}` };
  return coerced;
}

function coerceText(schema: JsonSchema, text: string): Coerced {
  switch (schema.type) {
    case 'string':
      return { value: text };
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { wrong: 'must be true or false' };
    case 'integer':
      return NUMBER.test(text) && (Number.isSafeInteger(Number(text)) || INTEGER.test(text))
        ? { value: toNumber(text) }
        : { wrong: 'must be an integer' };
    case 'number':
      return NUMBER.test(text) && Number.isFinite(Number(text))
        ? { value: toNumber(text) }
        : { wrong: 'must be a number' };
    case 'null':
      return text === 'null' ? { value: null } : { wrong: 'must be null' };
    case 'object': {
      const value = parseJson(text);
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value }
        : { wrong: 'must be a JSON object, with long numbers as text' };
    }
    default: {
      // Untyped: a fixed choice as it is, else JSON if the text parses as JSON, else text.
      if (schema.enum?.includes(text) || schema.const === text) return { value: text };
      const value = parseJson(text);
      return { value: value === undefined ? text : value };
    }
  }
}

function coerceList(schema: JsonSchema, values: readonly (string | undefined)[], root: JsonSchema): Coerced {
  const [first] = values;
  if (values.length === 1 && first?.trimStart().startsWith('[')) {
    const value = parseJson(first);
    return Array.isArray(value) ? { value } : { wrong: 'must be a JSON array, or be repeated for each item' };
  }
  const list: unknown[] = [];
  for (const [index, value] of values.entries()) {
    const item = coerce(schema.items ?? {}, [value], root);
    if ('wrong' in item) return { wrong: `item ${index + 1} ${item.wrong}` };
    list.push(item.value);
  }
  return { value: list };
}

/** A number that would change is sent as text, which the skill takes or the gateway refuses. */
function toNumber(text: string): number | string {
  return isExactNumber(text) ? Number(text) : text;
}

/** Undefined if the text is not JSON, or has a number that would change. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return findInexactNumber(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
