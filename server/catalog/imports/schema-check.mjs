// Validates values against untrusted JSON Schemas: small values of schemas that take linear time in
// the gateway's thread, all others in a worker. Plain JavaScript: workers run unbundled.
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isNumberLiteral } from '../../kit/exact-number.mjs';
import { findAsync } from '../../tools/sdk/async-schema.mjs';

/**
 * @typedef {import('ajv').ValidateFunction} ValidateFunction
 * @typedef {import('ajv').ErrorObject} ErrorObject
 * @typedef {Record<string, unknown>} Schema
 * @typedef {{ path: string[], message: string }} Problem
 */

/**
 * @typedef {object} Validators
 * @property {number} chars the length of the schema's text
 * @property {ValidateFunction} first stops at the first error
 * @property {() => ValidateFunction} all reports all errors; compiled on the first failure
 */

/** Errors reported per value. */
const MAX_REPORTED = 20;
/** A text that stands for a number may be found only after others are replaced: see `anyOf`. */
const MAX_ROUNDS = 5;
/** Characters of a schema times parts of a value: at most 30 ms, also if every check fails. */
const MAX_WORK = 100_000;
/** The same, for finding all errors of a value in a worker. */
const MAX_EXPLAINED_WORK = 500_000;
/** Characters of text that take a keyword as long as a part: their length may be counted. */
const CHARS_PER_PART = 256;
/** The formats of ajv-formats that take linear time. */
const FORMATS = /** @type {const} */ (['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4']);
/** Drafts before 2019, in which `items` may be a list. All other schemas are read as 2020-12. */
const OLD_DRAFT = /draft-0[3-7]/;
/** Keywords that can take more than linear time: patterns, recursion, pairwise comparison. */
const SLOW_KEYWORDS = /"(pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)":/;
/** Characters of a schema that compiles quickly, and items of its longest list of schemas. */
const MAX_PLAIN_CHARS = 4_000;
const MAX_PLAIN_ALTERNATIVES = 16;

/**
 * Whether a schema compiles quickly, and checks a value in linear time.
 * @param {Schema} schema
 */
export function isPlain(schema) {
  const text = JSON.stringify(schema);
  return text.length <= MAX_PLAIN_CHARS && !SLOW_KEYWORDS.test(text) && !hasManyAlternatives(schema);
}

/**
 * Whether all errors of a value are found quickly.
 * @param {number} schemaChars the length of the schema's text
 * @param {unknown} value
 */
export function isQuick(schemaChars, value, work = MAX_WORK) {
  const most = work / schemaChars;
  const waiting = [value];
  for (let parts = 0; waiting.length > 0; parts++) {
    const next = waiting.pop();
    if (typeof next === 'string') parts += next.length / CHARS_PER_PART;
    if (typeof next === 'object' && next !== null)
      for (const key in next) {
        if (waiting.length > most) return false;
        parts += key.length / CHARS_PER_PART;
        waiting.push(/** @type {Record<string, unknown>} */ (next)[key]);
      }
    if (parts > most) return false;
  }
  return true;
}

/** The compiler nests `oneOf`, which takes quadratic time. @param {unknown} root */
function hasManyAlternatives(root) {
  const waiting = [root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (/^(all|any|one)Of$/.test(key) && Array.isArray(value) && value.length > MAX_PLAIN_ALTERNATIVES)
        return true;
      waiting.push(value);
    }
  }
  return false;
}

/**
 * Compiles a schema.
 * @param {Schema} schema
 * @returns {Validators}
 * @throws Error if it is not a JSON Schema, or asynchronous
 */
export function compileSchema(schema) {
  const asynchronous = findAsync(schema);
  if (asynchronous !== null) throw new Error(`${asynchronous} is not supported.`);
  const isOld = typeof schema.$schema === 'string' && OLD_DRAFT.test(schema.$schema);
  const { $schema: _schema, ...rest } = schema;
  const first = compileWith(isOld, false, rest);
  /** @type {ValidateFunction | undefined} */
  let all;
  return {
    chars: JSON.stringify(rest).length,
    first,
    all: () => {
      all ??= compileWith(isOld, true, rest);
      return all;
    },
  };
}

/**
 * Reused, because compiling the meta-schema takes longer than most schemas. Keyed by draft and
 * whether all errors are reported.
 * @type {Map<string, Ajv | Ajv2020>}
 */
const compilers = new Map();

/** @param {boolean} isOld @param {boolean} allErrors @param {Schema} schema */
function compileWith(isOld, allErrors, schema) {
  const key = `${isOld} ${allErrors}`;
  const ajv = compilers.get(key) ?? createAjv(isOld, allErrors);
  // Returned only after it succeeds: an interrupted compiler may be in an invalid state.
  compilers.delete(key);
  const validate = ajv.compile(schema);
  // Otherwise Ajv caches every compiled schema forever.
  ajv.removeSchema(schema);
  compilers.set(key, ajv);
  return validate;
}

/** @param {boolean} isOld @param {boolean} allErrors */
function createAjv(isOld, allErrors) {
  const options = /** @type {const} */ ({ strict: false, allErrors, ownProperties: true, logger: false });
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  // CommonJS: depending on the loader, the default export is the function or contains it.
  const add = /** @type {any} */ (addFormats);
  (add.default ?? add)(ajv, { mode: 'fast', formats: [...FORMATS] });
  return ajv;
}

/**
 * Returns what is wrong with a value; empty if it is valid. A number may be written as text.
 * @param {Validators} validators
 * @param {unknown} value
 * @returns {Problem[]}
 * @throws RangeError if a recursive schema overflows the stack
 */
export function findProblems(validators, value) {
  if (validators.first(value)) return [];
  return explainProblems(validators, readNumberTexts(validators, value).value);
}

/**
 * Returns the paths of texts that stand for numbers: JSON numbers where the schema allows a number
 * and no text. A number with more digits than a double has can only be sent so.
 * @param {Validators} validators
 * @param {unknown} value
 */
export function findNumberTexts(validators, value) {
  return validators.first(value) ? [] : readNumberTexts(validators, value).paths;
}

/** @param {Validators} validators @param {unknown} given an invalid value */
function readNumberTexts({ all }, given) {
  /** @type {string[][]} */
  const paths = [];
  let value = given;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const validate = all();
    if (validate(value)) break;
    const found = (validate.errors ?? []).filter(
      ({ keyword, params }) => keyword === 'type' && allowsNumber(params.type),
    );
    const texts = found.flatMap(({ instancePath }) => {
      const path = toPath(instancePath);
      const text = path.length > 0 ? getAt(value, path) : undefined;
      return typeof text === 'string' && isNumberLiteral(text) ? [{ path, number: Number(text) }] : [];
    });
    if (texts.length === 0) break;
    if (paths.length === 0) value = structuredClone(given);
    for (const { path, number } of texts) setAt(value, path, number);
    paths.push(...texts.map(({ path }) => path));
  }
  return { paths, value };
}

/** @param {string | string[]} type */
function allowsNumber(type) {
  const types = [type].flat();
  return (types.includes('integer') || types.includes('number')) && !types.includes('string');
}

/** @param {unknown} root @param {string[]} path @returns {unknown} */
function getAt(root, path) {
  return path.reduce((holder, key) => Object.getOwnPropertyDescriptor(Object(holder), key)?.value, root);
}

/** @param {unknown} root @param {string[]} path @param {number} value */
function setAt(root, path, value) {
  const holder = getAt(root, path.slice(0, -1));
  Object.defineProperty(holder, path.at(-1) ?? '', { value, enumerable: true });
}

/** @param {Validators} validators @param {unknown} value @returns {Problem[]} */
function explainProblems({ chars, first, all }, value) {
  if (first(value)) return [];
  let found = first.errors ?? [];
  if (isQuick(chars, value, MAX_EXPLAINED_WORK)) {
    const every = all();
    every(value);
    if (every.errors?.length) found = every.errors;
  }
  /** @type {Map<string, Problem>} */
  const reported = new Map();
  for (const error of found) {
    const problem = { path: getErrorPath(error), message: formatErrorMessage(error) };
    reported.set(JSON.stringify(problem), problem);
    if (reported.size === MAX_REPORTED) break;
  }
  return [...reported.values()];
}

/**
 * Returns the path of the problem; for a missing or unknown property, the property itself.
 * @param {ErrorObject} error
 */
function getErrorPath({ instancePath, keyword, params }) {
  const path = toPath(instancePath);
  if (keyword === 'required') return [...path, String(params.missingProperty)];
  if (keyword === 'additionalProperties') return [...path, String(params.additionalProperty)];
  return path;
}

/** @param {string} pointer a JSON pointer */
function toPath(pointer) {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @param {ErrorObject} error */
function formatErrorMessage({ keyword, params, message }) {
  if (keyword === 'required') return 'Is required.';
  if (keyword === 'additionalProperties') return 'Is not a known property.';
  if (keyword === 'enum') {
    const values = /** @type {unknown[]} */ (params.allowedValues)
      .slice(0, 10)
      .map((item) => JSON.stringify(item));
    return `Must be one of ${values.join(', ')}.`.slice(0, 300);
  }
  const said = (message ?? 'is not valid').slice(0, 200);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}
