import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { findAsync } from '../sdk/async-schema.mjs';

/** So many faults are told. */
const MAX_FAULTS = 5;
const MAX_FAULT_CHARS = 200;

/**
 * Compiles a schema and, where there is an answer, checks it. Runs in a worker: patterns of strangers can take forever.
 * @param {{ schema: Record<string, unknown>, answer?: string }} task
 * @returns {{ badSchema: string } | { faults: string[] } | { data: Record<string, unknown> }}
 */
export function checkAnswer({ schema, answer }) {
  const { $schema: _dialect, $id: _id, ...bare } = schema;
  if (bare.type !== 'object')
    return { badSchema: 'its type must be "object"; put a list into a property of it' };
  const asynchronous = findAsync(bare);
  if (asynchronous !== null) return { badSchema: short(`${asynchronous} is not available; remove it`) };
  let validate;
  try {
    const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
    addFormats.default(ajv);
    validate = ajv.compile(bare);
  } catch (error) {
    return { badSchema: short(error instanceof Error ? error.message : 'it cannot be read') };
  }
  try {
    // Before anything is paid for: a schema that leads back to itself ends the stack.
    validate({});
  } catch {
    return { badSchema: 'it leads back to itself without end' };
  }
  if (answer === undefined) return { data: {} };
  const data = parse(answer);
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return { faults: ['The answer is not a JSON object.'] };
  try {
    if (validate(data)) return { data: /** @type {Record<string, unknown>} */ (data) };
  } catch {
    return { faults: ['The schema could not be checked against the answer.'] };
  }
  const faults = (validate.errors ?? []).map(({ instancePath, message }) =>
    short(`${instancePath || 'The object'} ${message ?? 'is wrong'}`),
  );
  return { faults: faults.slice(0, MAX_FAULTS) };
}

/**
 * The JSON in what a model wrote, also where it stands in a code block.
 * @param {string} answer
 */
function parse(answer) {
  const text = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(answer)?.[1] ?? answer;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function short(text) {
  return text.length > MAX_FAULT_CHARS ? `${text.slice(0, MAX_FAULT_CHARS)}…` : text;
}
