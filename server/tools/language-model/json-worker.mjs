import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseExactJson } from '../../kit/replace-inexact-numbers.mjs';
import { findAsync } from '../sdk/async-schema.mjs';

/** Faults reported per response. */
const MAX_FAULTS = 5;
const MAX_FAULT_CHARS = 200;

/**
 * Compiles a schema and, if there is an answer, validates it. Runs in a worker process, because a
 * caller's patterns can backtrack without end.
 * @param {{ schema: Record<string, unknown>, answer?: string | undefined }} task
 * @returns {{ badSchema: string } | { faults: string[] } | { data: Record<string, unknown> }}
 */
export function checkAnswer({ schema, answer }) {
  const { $schema: _dialect, $id: _id, ...bare } = schema;
  if (bare.type !== 'object') return { badSchema: 'its type must be "object"; wrap a list in a property' };
  const asynchronous = findAsync(bare);
  if (asynchronous !== null) return { badSchema: short(`${asynchronous} is not available; remove it`) };
  let validate;
  try {
    const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
    addFormats.default(ajv);
    validate = ajv.compile(bare);
  } catch (error) {
    return { badSchema: short(error instanceof Error ? error.message : 'it is invalid') };
  }
  try {
    // Before anything is paid for: a recursive schema can overflow the stack.
    validate({});
  } catch {
    return { badSchema: 'a $ref loops without end' };
  }
  if (answer === undefined) return { data: {} };
  const data = parse(answer);
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return { faults: ['The response is not a JSON object.'] };
  try {
    // Checked as numbers, and returned as text where a number would change.
    if (validate(data)) return { data: asFields(parse(answer, parseExactJson)) };
  } catch {
    return { faults: ['The response could not be validated against the schema.'] };
  }
  const faults = (validate.errors ?? []).map(({ instancePath, message }) =>
    short(`${instancePath || 'The object'} ${message ?? 'is invalid'}`),
  );
  return { faults: faults.slice(0, MAX_FAULTS) };
}

/**
 * Parses the JSON that a model wrote, with or without a code block around it.
 * @param {string} answer
 * @param {(text: string) => unknown} [parseJson]
 */
function parse(answer, parseJson = JSON.parse) {
  const text = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(answer)?.[1] ?? answer;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} data an object @returns {Record<string, unknown>} */
function asFields(data) {
  return Object.assign({}, data);
}

/** @param {string} text */
function short(text) {
  return text.length > MAX_FAULT_CHARS ? `${text.slice(0, MAX_FAULT_CHARS)}…` : text;
}
