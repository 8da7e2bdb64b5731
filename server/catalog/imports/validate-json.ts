import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { OutOfTime, withinComputedTime } from '../../kit/within-time';
import { findAsync } from '../../tools/sdk/async-schema.mjs';
import type { JsonSchema } from '../../tools/sdk/define-tool';

/**
 * A schema and its patterns are a stranger's: they get this long for one value, and this long to be
 * compiled.
 */
const CHECK_LIMIT_MS = 100;
const COMPILE_LIMIT_MS = 2_000;
/** Errors that are told of one value. */
const MAX_TOLD = 20;
/**
 * Values up to so many parts are looked through for all their errors; of larger ones the first is
 * told.
 */
const MAX_EXPLAINED_PARTS = 1_000;
/** Of ajv-formats those that take linear time. */
const FORMATS = ['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4'] as const;
/** Drafts before 2019: their `items` may be a list. Everything else is read as 2020-12. */
const OLD_DRAFT = /draft-0[3-7]/;

interface Validators {
  /**
   * Whether a small value is checked in a time that grows with it: then nobody has to watch the
   * clock.
   */
  plain: boolean;
  first: ValidateFunction;
  /** Tells every error; made when there is one. */
  all(): ValidateFunction;
}

/**
 * Compiles the schema as if for a call.
 * @returns what is wrong with it, null where nothing is
 */
export function findSchemaProblem(schema: JsonSchema): string | null {
  try {
    compile(schema);
    return null;
  } catch (error) {
    if (error instanceof OutOfTime) return 'It takes too long to be understood.';
    return error instanceof Error ? error.message.slice(0, 200) : 'It is no JSON Schema.';
  }
}

/**
 * A zod schema that holds what a JSON Schema says. Compiled when the first value comes; changes no
 * value.
 */
export function zodOf(schema: JsonSchema): z.ZodType<Record<string, unknown>> {
  let validators: Validators | undefined;
  return z.custom<Record<string, unknown>>(isObject, 'Must be an object.').superRefine((value, context) => {
    try {
      validators ??= compile(schema);
      for (const { path, message } of problemsOf(validators, value))
        context.addIssue({ code: 'custom', path, message });
    } catch (error) {
      const late = error instanceof OutOfTime;
      // A stack that is too small, for a schema that refers to itself and a value as deep.
      if (!late && !(error instanceof RangeError)) throw error;
      context.addIssue({
        code: 'custom',
        message: 'Is too large or too deep to be checked against its schema.',
      });
    }
  });
}

function compile(schema: JsonSchema): Validators {
  const asynchronous = findAsync(schema);
  if (asynchronous !== null) throw new Error(`${asynchronous} is not available.`);
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

/**
 * Keywords with which a check may take more time than its value is long: patterns, recursion,
 * comparing all with all.
 */
const SLOW_KEYWORDS = /"(pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)":/;
/** Of a schema as text. */
const MAX_PLAIN_CHARS = 10_000;

function isPlain(schema: Record<string, unknown>): boolean {
  const text = JSON.stringify(schema);
  return text.length <= MAX_PLAIN_CHARS && !SLOW_KEYWORDS.test(text);
}

/**
 * Each has compiled its own meta-schema, which takes longer than most schemas; by draft and whether
 * it tells all errors.
 */
const compilers = new Map<string, Ajv | Ajv2020>();

function compileWith(
  draft: 'old' | 'new',
  allErrors: boolean,
  schema: Record<string, unknown>,
): ValidateFunction {
  const key = `${draft} ${allErrors}`;
  return withinComputedTime(COMPILE_LIMIT_MS, () => {
    const ajv = compilers.get(key) ?? createAjv(draft, allErrors);
    // Set again only when it has finished: one that was interrupted may be in an invalid state.
    compilers.delete(key);
    const validate = ajv.compile(schema);
    // Ajv would cache what it has compiled for ever.
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

function problemsOf(validators: Validators, value: unknown): { path: string[]; message: string }[] {
  // Watching costs a thread each time, and a machine that is busy for a tenth of a second would
  // fail the call.
  const unwatched = validators.plain && !hasMoreParts(value, MAX_EXPLAINED_PARTS);
  if (unwatched ? validators.first(value) : withinComputedTime(CHECK_LIMIT_MS, () => validators.first(value)))
    return [];
  const found = [...(validators.first.errors ?? [])];
  if (!hasMoreParts(value, MAX_EXPLAINED_PARTS)) {
    const all = validators.all();
    withinComputedTime(CHECK_LIMIT_MS, () => all(value));
    if (all.errors?.length) found.splice(0, found.length, ...all.errors);
  }
  const told = new Map<string, { path: string[]; message: string }>();
  for (const error of found) {
    const problem = { path: pathOf(error), message: messageOf(error) };
    const key = JSON.stringify(problem);
    if (told.size < MAX_TOLD) told.set(key, problem);
  }
  return [...told.values()];
}

/** Where the caller has to look: of a property that is missing or too many, at itself. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') return [...path, String(params.missingProperty)];
  if (keyword === 'additionalProperties') return [...path, String(params.additionalProperty)];
  return path;
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'required') return 'Is required.';
  if (keyword === 'additionalProperties') return 'Is not known here.';
  if (keyword === 'enum') {
    const values = (params.allowedValues as unknown[]).slice(0, 10).map((item) => JSON.stringify(item));
    return `Must be one of ${values.join(', ')}.`.slice(0, 300);
  }
  const said = (message ?? 'is wrong').slice(0, 200);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** Counts no further than it has to. */
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
