import { isExactNumber } from '../../../server/kit/exact-number.mjs';
import {
  flattenSchema,
  isObject,
  type JsonObject,
  type JsonSchema,
  listAllowedValues,
  listRequired,
  looksLike,
  sameJson,
} from './json-schema';

/** A part of a value with its own control; `value` is undefined if the part is missing. */
export interface Part {
  name: string | number;
  schema: unknown;
  required: boolean;
  value: unknown;
}

/**
 * How a value is presented for its schema. Lossless: a value that a control cannot represent (such
 * as text in a number field) is shown as JSON.
 */
export type Control =
  | { kind: 'text'; long: boolean; text: string | undefined }
  | { kind: 'number'; integer: boolean; text: string | undefined }
  | { kind: 'boolean'; chosen: boolean | undefined }
  | { kind: 'choice'; options: readonly unknown[]; chosen: number | undefined }
  | { kind: 'file'; mediaType: string; text: string | undefined }
  | { kind: 'list'; parts: Part[] | undefined; item: unknown }
  | { kind: 'object'; parts: Part[]; there: boolean }
  | { kind: 'record'; parts: Part[] | undefined; item: unknown }
  | { kind: 'variants'; variants: readonly JsonSchema[]; chosen: number | undefined; value: unknown }
  | { kind: 'null' }
  | { kind: 'json'; text: string | undefined; misfit: boolean };

/** Longer text gets a multi-line field. */
const LONG_TEXT_CHARS = 200;

/** The schema of a control, besides its value. */
export interface Described {
  /** The schema if there is one variant; otherwise what the variants share. */
  schema: JsonSchema;
  nullable: boolean;
  control: Control;
}

/** The control for a value of a schema; an undefined value is missing. */
export function chooseControl(root: JsonSchema, raw: unknown, value: unknown): Described {
  const { variants, nullable } = flattenSchema(root, raw);
  const schema = variants[0] ?? {};
  const of = (control: Control) => ({ schema, nullable, control });
  if (value === null && nullable) return of({ kind: 'null' });
  const all = variants.map(listAllowedValues);
  const options = all.every((values) => values !== null) ? all.flat() : null;
  if (options) {
    const chosen = options.findIndex((option) => sameJson(option, value));
    return of(
      value !== undefined && chosen < 0 ? misfit(value) : { kind: 'choice', options, chosen: known(chosen) },
    );
  }
  if (variants.length === 1 && isAnything(schema))
    return chooseControl(root, { ...schema, anyOf: ANYTHING }, value);
  if (variants.length > 1) {
    const chosen =
      value === undefined ? -1 : variants.findIndex((variant) => looksLike(root, variant, value));
    return of({ kind: 'variants', variants, chosen: known(chosen), value });
  }
  return of(plainControl(schema, value) ?? misfit(value));
}

/** For a schema that accepts anything, offer text first, so that a person need not write JSON. */
const ANYTHING = [
  { type: 'string', title: 'Text' },
  { type: 'any', title: 'JSON' },
];

function isAnything(schema: JsonSchema): boolean {
  return !('type' in schema) && !('properties' in schema) && !('items' in schema) && !('allOf' in schema);
}

function known(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

function misfit(value: unknown): Control {
  return { kind: 'json', text: jsonText(value), misfit: true };
}

function jsonText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value, null, 2);
}

/** Null if the value does not match the schema. */
function plainControl(schema: JsonSchema, value: unknown): Control | null {
  switch (schema.type) {
    case 'string':
      return value === undefined || typeof value === 'string' ? textControl(schema, value) : null;
    case 'number':
    case 'integer':
      return numberControl(schema.type === 'integer', value);
    case 'boolean':
      return value === undefined || typeof value === 'boolean' ? { kind: 'boolean', chosen: value } : null;
    case 'array':
      return listControl(schema, value);
    case 'object':
      return value === undefined || isObject(value) ? objectControl(schema, value) : null;
    default:
      return { kind: 'json', text: jsonText(value), misfit: false };
  }
}

function textControl(schema: JsonSchema, text: string | undefined): Control {
  const { contentMediaType, format, maxLength, pattern } = schema;
  if (typeof contentMediaType === 'string' && typeof format === 'string' && format.startsWith('uri'))
    return { kind: 'file', mediaType: contentMediaType, text };
  const free = typeof format !== 'string' && typeof pattern !== 'string';
  const roomy = typeof maxLength !== 'number' || maxLength > LONG_TEXT_CHARS;
  // A single-line field would drop line breaks.
  return { kind: 'text', long: (free && roomy) || /[\r\n]/.test(text ?? ''), text };
}

function numberControl(integer: boolean, value: unknown): Control | null {
  if (value === undefined) return { kind: 'number', integer, text: undefined };
  if (typeof value === 'number') return { kind: 'number', integer, text: String(value) };
  // An incomplete number is kept as text until it parses.
  const unfinished = typeof value === 'string' && value !== '' && typeof readNumber(value) === 'string';
  return unfinished ? { kind: 'number', integer, text: value } : null;
}

/**
 * Parses a number as JSON does. Returns other text unchanged, for the server to reject, and digits
 * that a number would lose.
 */
export function readNumber(text: string): number | string {
  const trimmed = text.trim();
  if (!/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return text;
  const literal = trimmed.replace(/^(-?)\./, '$10.').replace(/\.(?=e|$)/i, '');
  return isExactNumber(literal) ? Number(trimmed) : text;
}

function listControl(schema: JsonSchema, value: unknown): Control | null {
  const { items } = schema;
  if (Array.isArray(schema.prefixItems) || !isObject(items))
    return { kind: 'json', text: jsonText(value), misfit: false };
  if (value === undefined) return { kind: 'list', parts: undefined, item: items };
  if (!Array.isArray(value)) return null;
  const parts = value.map((item, name) => ({ name, schema: items, required: true, value: item }));
  return { kind: 'list', parts, item: items };
}

function objectControl(schema: JsonSchema, value: JsonObject | undefined): Control {
  const { properties, additionalProperties } = schema;
  const more = isObject(additionalProperties) ? additionalProperties : {};
  const declared = isObject(properties) ? Object.entries(properties) : [];
  const createPart = (name: string, of: unknown, required: boolean): Part => ({
    name,
    schema: of,
    required,
    value: value && Object.hasOwn(value, name) ? value[name] : undefined,
  });
  const others = Object.keys(value ?? {}).filter((name) => !declared.some(([known]) => known === name));
  const extra = others.map((name) => createPart(name, more, true));
  if (declared.length === 0) return { kind: 'record', parts: value && extra, item: more };
  const required = listRequired(schema);
  const parts = declared.map(([name, of]) => createPart(name, of, required.includes(name)));
  return { kind: 'object', parts: [...parts, ...extra], there: value !== undefined };
}

/** The value that a control represents: the inverse of `chooseControl`. */
export function readControlValue(root: JsonSchema, control: Control): unknown {
  switch (control.kind) {
    case 'text':
    case 'file':
      return control.text;
    case 'number':
      return control.text === undefined ? undefined : readNumber(control.text);
    case 'boolean':
      return control.chosen;
    case 'choice':
      return control.chosen === undefined ? undefined : control.options[control.chosen];
    case 'null':
      return null;
    case 'json':
      return control.text === undefined ? undefined : JSON.parse(control.text);
    case 'list':
      return control.parts?.map((part) => shown(root, part.schema, part.value));
    case 'record':
      return control.parts && fieldsShown(root, control.parts);
    case 'object':
      return control.there ? fieldsShown(root, control.parts) : undefined;
    case 'variants': {
      const { chosen, variants, value } = control;
      if (chosen !== undefined) return shown(root, variants[chosen], value);
      const text = jsonText(value);
      return text === undefined ? undefined : JSON.parse(text);
    }
  }
}

function shown(root: JsonSchema, schema: unknown, value: unknown): unknown {
  return readControlValue(root, chooseControl(root, schema, value).control);
}

function fieldsShown(root: JsonSchema, parts: readonly Part[]): JsonObject {
  const entries = parts.map(({ name, schema, value }) => [String(name), shown(root, schema, value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** An object with one field changed in place; undefined removes the field. */
export function withField(value: unknown, name: string, next: unknown): JsonObject {
  const fields = isObject(value) ? value : {};
  if (next === undefined)
    return Object.fromEntries(Object.entries(fields).filter(([known]) => known !== name));
  return { ...fields, [name]: next };
}
