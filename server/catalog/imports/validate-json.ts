import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { TimeLimitError, withCpuTimeout } from '../../kit/with-timeout';
import { findAsync } from '../../tools/sdk/async-schema.mjs';
import type { JsonSchema } from '../../tools/sdk/define-tool';

/**
 * Schemas and their patterns are untrusted: these limit the time to validate one value and to
 * compile one schema.
 */
const CHECK_LIMIT_MS = 100;
const COMPILE_LIMIT_MS = 2_000;
/** Errors reported per value. */
const MAX_REPORTED = 20;
/**
 * Values up to this size are checked for all errors; for larger ones only the first is reported.
 */
const MAX_EXPLAINED_PARTS = 1_000;
/** The formats of ajv-formats that take linear time. */
const FORMATS = ['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4'] as const;
/** Drafts before 2019, in which `items` may be a list. All other schemas are read as 2020-12. */
const OLD_DRAFT = /draft-0[3-7]/;

interface Validators {
  /** Whether validation takes linear time, so that small values need no time limit. */
  plain: boolean;
  first: ValidateFunction;
  /** Reports all errors; compiled on the first failure. */
  all(): ValidateFunction;
}

/**
 * Compiles a schema as a call would.
 * @returns what is wrong with it; null if nothing is
 */
export function findSchemaProblem(schema: JsonSchema): string | null {
  try {
    compile(schema);
    return null;
  } catch (error) {
    if (error instanceof TimeLimitError) return 'It takes too long to compile.';
    return error instanceof Error ? error.message.slice(0, 200) : 'It is not a JSON Schema.';
  }
}

/** Wraps a JSON Schema as a zod schema that changes no value. Compiles it on the first value. */
export function toZodSchema(schema: JsonSchema): z.ZodType<Record<string, unknown>> {
  let validators: Validators | undefined;
  return z.custom<Record<string, unknown>>(isObject, 'Must be an object.').superRefine((value, context) => {
    try {
      validators ??= compile(schema);
      for (const { path, message } of findProblems(validators, value))
        context.addIssue({ code: 'custom', path, message });
    } catch (error) {
      const late = error instanceof TimeLimitError;
      // A stack overflow: a recursive schema with an equally deep value.
      if (!late && !(error instanceof RangeError)) throw error;
      context.addIssue({
        code: 'custom',
        message: 'Is too large or too deeply nested to validate.',
      });
    }
  });
}

function compile(schema: JsonSchema): Validators {
  const asynchronous = findAsync(schema);
  if (asynchronous !== null) throw new Error(`${asynchronous} is not supported.`);
  const isOld = typeof schema.$schema === 'string' && OLD_DRAFT.test(schema.$schema);
  const { $schema: _schema, ...plain } = schema;
  const build = (allErrors: boolean) => compileWith(isOld ? 'old' : 'new', allErrors, plain);
  const first = build(false);
  let all: ValidateFunction | undefined;
  return {
    plain: isPlain(plain),
    first,
    all: () => {
      all ??= build(true);
      return all;
    },
  };
}

/** Keywords that can take more than linear time: patterns, recursion, pairwise comparison. */
const SLOW_KEYWORDS = /"(pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)":/;
/** Characters of a schema's text. */
const MAX_PLAIN_CHARS = 10_000;

function isPlain(schema: Record<string, unknown>): boolean {
  const text = JSON.stringify(schema);
  return text.length <= MAX_PLAIN_CHARS && !SLOW_KEYWORDS.test(text);
}

/**
 * Reused, because compiling the meta-schema takes longer than most schemas. Keyed by draft and
 * whether all errors are reported.
 */
const compilers = new Map<string, Ajv | Ajv2020>();

function compileWith(
  draft: 'old' | 'new',
  allErrors: boolean,
  schema: Record<string, unknown>,
): ValidateFunction {
  const key = `${draft} ${allErrors}`;
  return withCpuTimeout(COMPILE_LIMIT_MS, () => {
    const ajv = compilers.get(key) ?? createAjv(draft, allErrors);
    // Returned only after it succeeds: an interrupted compiler may be in an invalid state.
    compilers.delete(key);
    const validate = ajv.compile(schema);
    // Otherwise Ajv caches every compiled schema forever.
    ajv.removeSchema(schema);
    compilers.set(key, ajv);
    return validate;
  });
}

function createAjv(draft: 'old' | 'new', allErrors: boolean): Ajv | Ajv2020 {
  const options = { strict: false, allErrors, ownProperties: true, logger: false } as const;
  const ajv = draft === 'old' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv as Ajv, { mode: 'fast', formats: [...FORMATS] });
  return ajv;
}

function findProblems(validators: Validators, value: unknown): { path: string[]; message: string }[] {
  // The time limit costs a thread per value, and on a machine that stalls for 100 ms it would fail
  // the call.
  const isUnlimited = validators.plain && !hasMoreParts(value, MAX_EXPLAINED_PARTS);
  if (isUnlimited ? validators.first(value) : withCpuTimeout(CHECK_LIMIT_MS, () => validators.first(value)))
    return [];
  const found = [...(validators.first.errors ?? [])];
  if (!hasMoreParts(value, MAX_EXPLAINED_PARTS)) {
    const all = validators.all();
    withCpuTimeout(CHECK_LIMIT_MS, () => all(value));
    if (all.errors?.length) found.splice(0, found.length, ...all.errors);
  }
  const reported = new Map<string, { path: string[]; message: string }>();
  for (const error of found) {
    const problem = { path: getErrorPath(error), message: formatErrorMessage(error) };
    const key = JSON.stringify(problem);
    if (reported.size < MAX_REPORTED) reported.set(key, problem);
  }
  return [...reported.values()];
}

/** Returns the path of the problem; for a missing or unknown property, the property itself. */
function getErrorPath({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') return [...path, String(params.missingProperty)];
  if (keyword === 'additionalProperties') return [...path, String(params.additionalProperty)];
  return path;
}

function formatErrorMessage({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'Is required.';
  if (keyword === 'additionalProperties') return 'Is not a known property.';
  if (keyword === 'enum') {
    const values = (params.allowedValues as unknown[]).slice(0, 10).map((item) => JSON.stringify(item));
    return `Must be one of ${values.join(', ')}.`.slice(0, 300);
  }
  const said = (message ?? 'is not valid').slice(0, 200);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** Stops counting at the limit. */
function hasMoreParts(root: unknown, limit: number): boolean {
  const waiting = [root];
  for (let parts = 0; waiting.length > 0; parts++) {
    if (parts > limit) return true;
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) {
      const values = Object.values(next);
      if (values.length > limit) return true;
      waiting.push(...values);
    }
  }
  return false;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
