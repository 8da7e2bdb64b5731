import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { findAsync } from '../sdk/async-schema.mjs';
import { getMessage, quoteName, withDatabase } from './duckdb.mjs';
import { detectFormat } from './file-format.mjs';
import { readRows, toNumberValue } from './json-values.mjs';
import { loadTable } from './load-table.mjs';
import { toUtf8 } from './source-encoding.mjs';

/** Largest JSON file that is parsed in one piece. */
const MAX_JSON_BYTES = 20 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 300;

/** @typedef {import('./load-table.mjs').Dialect} Dialect */

/**
 * @typedef {object} Validation
 * @property {Record<string, unknown>} schema
 * @property {{ value: unknown } | { source: import('./load-table.mjs').Source & { sizeBytes:
 *   number }
 *   }} subject
 * @property {boolean} eachItem whether the items of a list are checked one by one
 * @property {number} maxErrors
 */

/**
 * Checks values against a JSON Schema.
 * @param {Validation} payload
 */
export function validate({ schema, subject, eachItem, maxErrors }) {
  return refusable(async () => {
    const check = compile(schema);
    const errors = [];
    let checked = 0;
    let invalid = 0;
    const { values, rows, dialect } = await readValues(subject, eachItem);
    for (const value of values) {
      checked += 1;
      if (isValid(check, value)) continue;
      invalid += 1;
      for (const error of (check.errors ?? []).slice(0, Math.max(0, maxErrors - errors.length)))
        errors.push({ ...(rows ? { row: checked } : {}), ...describeError(error) });
    }
    return { valid: invalid === 0, checked, invalid, errors, dialect };
  });
}

/**
 * @param {import('ajv').ValidateFunction} check
 * @param {unknown} value
 */
function isValid(check, value) {
  try {
    return check(value);
  } catch {
    throw new Refusal('schema: a $ref loops without end, or the recursion is too deep for this value.');
  }
}

/** @param {Record<string, unknown>} schema */
function compile(schema) {
  const asynchronous = findAsync(schema);
  if (asynchronous !== null)
    throw new Refusal(`schema: ${asynchronous.slice(0, MAX_MESSAGE_CHARS)} is not available. Remove it.`);
  // Nothing is loaded from elsewhere: a $ref resolves within the schema or fails.
  const options = { allErrors: true, strict: false, logger: /** @type {const} */ (false) };
  const { $schema: dialect, ...rest } = schema;
  const older = /draft-0[67]/.test(String(dialect));
  const ajv = older ? new Ajv(options) : new Ajv2020(options);
  // CommonJS: depending on the loader, the default export is the function or contains it.
  const add = /** @type {any} */ (addFormats);
  (add.default ?? add)(ajv);
  try {
    return ajv.compile(rest);
  } catch (error) {
    const isReference = error instanceof Error && 'missingRef' in error;
    const hint = isReference ? ' A $ref can only point to a place within this schema.' : '';
    throw new Refusal(`schema: ${getMessage(error)}.${hint}`);
  }
}

/** @param {import('ajv').ErrorObject} error */
function describeError({ instancePath, keyword, message, params }) {
  const extra = params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues;
  const text = extra === undefined ? `${message}` : `${message}: ${JSON.stringify(extra)}`;
  return {
    path: instancePath.slice(0, MAX_MESSAGE_CHARS),
    keyword,
    message: text.slice(0, MAX_MESSAGE_CHARS),
  };
}

/**
 * @param {Validation['subject']} subject
 * @param {boolean} eachItem
 * @returns {Promise<{ values: Iterable<unknown>, rows: boolean, dialect?: Dialect }>}
 */
async function readValues(subject, eachItem) {
  if ('value' in subject) return listOrOne('data', subject.value, eachItem);
  const { source } = subject;
  const format = source.format ?? (await detectFormat(source));
  if (format !== 'json') return await readTable({ ...source, format });
  if (source.sizeBytes > MAX_JSON_BYTES)
    throw new Refusal('file: a JSON file to validate may have at most 20 MiB. Split it.');
  const { path, offset, encoding, notes } = await toUtf8(source, false).catch((error) => {
    throw error instanceof Refusal ? new Refusal(`${source.filename}: ${error.message}`) : error;
  });
  const text = (await readFile(path)).toString('utf8', offset);
  return { ...readJsonValues(text, eachItem), dialect: { format, encoding, notes } };
}

/** @param {string} text @param {boolean} eachItem */
function readJsonValues(text, eachItem) {
  const whole = tryParse(text);
  if (whole) return listOrOne('file', whole.value, eachItem);
  const values = text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const value = tryParse(line);
    if (!value) throw new Refusal(`file: line ${at + 1} is not valid JSON.`);
    return [value.value];
  });
  if (values.length === 0) throw new Refusal('file: is empty. Pass a file with at least one value.');
  return { values, rows: true };
}

/** @param {string} text */
function tryParse(text) {
  try {
    return { value: /** @type {unknown} */ (JSON.parse(text)) };
  } catch {
    return null;
  }
}

/** @param {string} field @param {unknown} value @param {boolean} eachItem */
function listOrOne(field, value, eachItem) {
  if (!eachItem) return { values: [value], rows: false };
  if (!Array.isArray(value))
    throw new Refusal(`${field}: must be a list when each_item is true. Pass a list or omit each_item.`);
  return { values: value, rows: true };
}

/**
 * Reads the rows of a table. Long numbers are rounded: as text they would not be numbers.
 * @param {import('./load-table.mjs').Source} source
 */
function readTable(source) {
  return withDatabase(async (connection) => {
    const dialect = await loadTable(connection, source);
    const found = await connection.runAndReadAll(`SELECT * FROM ${quoteName(source.table)}`);
    return { values: readRows(found, toNumberValue), rows: true, dialect };
  });
}
