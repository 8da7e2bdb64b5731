// Validates in a worker what may take more than linear time: patterns, references, long lists.
import { createPatternTexts } from './pattern-texts.mjs';
import { compileSchema, findNumberTexts, findProblems } from './schema-check.mjs';
import { TimeLimitError, withCpuTimeout } from './with-timeout.mjs';

/** @typedef {import('./schema-check.mjs').Problem} Problem */

/** Milliseconds to validate one value, and to compile one schema. */
const CHECK_LIMIT_MS = 250;
const COMPILE_LIMIT_MS = 2_000;
/** Milliseconds to match one text with a pattern. */
const PATTERN_LIMIT_MS = 100;
/** Compiled schemas that this process keeps. */
const MAX_COMPILED = 50;

/**
 * By the text of the schema, the last used at the end.
 * @type {Map<string, import('./schema-check.mjs').Validators>}
 */
const compiled = new Map();

/** @param {Record<string, unknown>} schema */
function getValidators(schema) {
  const text = JSON.stringify(schema);
  const validators = compiled.get(text) ?? withCpuTimeout(COMPILE_LIMIT_MS, () => compileSchema(schema));
  compiled.delete(text);
  compiled.set(text, validators);
  const [oldest] = compiled.keys();
  if (compiled.size > MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
  return validators;
}

/**
 * @param {{ schema: Record<string, unknown>, value: unknown }} payload
 * @returns {Problem[] | null} null if it takes too long, or the schema recurses too deeply
 */
export function check({ schema, value }) {
  try {
    const validators = getValidators(schema);
    return withCpuTimeout(CHECK_LIMIT_MS, () => findProblems(validators, value));
  } catch (error) {
    if (error instanceof TimeLimitError || error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Returns the paths of texts that stand for numbers in a value that was checked.
 * @param {{ schema: Record<string, unknown>, value: unknown }} payload
 */
export function numberTexts({ schema, value }) {
  const validators = getValidators(schema);
  return withCpuTimeout(CHECK_LIMIT_MS, () => findNumberTexts(validators, value));
}

/**
 * Compiles a schema as a call would.
 * @param {{ schema: Record<string, unknown> }} payload
 * @returns {string | null} what is wrong with it
 */
export function inspect({ schema }) {
  try {
    getValidators(schema);
    return null;
  } catch (error) {
    if (error instanceof TimeLimitError) return 'It takes too long to compile.';
    return error instanceof Error ? error.message.slice(0, 200) : 'It is not a JSON Schema.';
  }
}

/**
 * Tries patterns on texts that make them backtrack.
 * @param {{ patterns: string[], cpuMs: number }} payload with the CPU time for all of them
 * @returns {{ slow: { pattern: string, chars: number }[], untried: number }} the slow ones, each
 *   with the length of such a text; `untried` if there was no time for all
 */
export function findSlowPatterns({ patterns, cpuMs }) {
  /** @type {{ pattern: string, chars: number }[]} */
  const slow = [];
  const start = process.cpuUsage();
  for (const [i, pattern] of patterns.entries()) {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1_000 > cpuMs) return { slow, untried: patterns.length - i };
    const chars = findSlowLength(pattern);
    if (chars !== null) slow.push({ pattern, chars });
  }
  return { slow, untried: 0 };
}

/** @param {string} pattern @returns {number | null} */
function findSlowLength(pattern) {
  let at = '';
  try {
    const texts = createPatternTexts(pattern);
    const expression = new RegExp(pattern, 'u');
    for (at of texts) withCpuTimeout(PATTERN_LIMIT_MS, () => expression.test(at));
    return null;
  } catch (error) {
    // Others are not patterns, which the compiler reports, or are nested too deeply.
    return error instanceof TimeLimitError ? at.length : null;
  }
}
