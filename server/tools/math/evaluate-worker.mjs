// Runs in a worker process, because an expression can compute until the process is killed.
import { createMath } from './mathjs-worker.mjs';

/** Significant digits of precision `bignumber`. */
const BIGNUMBER_DIGITS = 64;
/** Significant digits printed for precision `number`: a double without its rounding noise. */
const NUMBER_DIGITS = 14;
/** Characters of a result; longer ones are refused, as they would fill a model's context. */
const MAX_RESULT_CHARS = 100_000;

// From mathjs' security page, and later additions: functions that parse or build expressions, or
// change the instance shared by later calls; and print, which reads inherited properties
// ("$a.constructor").
const FORBIDDEN = [
  'import',
  'createUnit',
  'reviver',
  'replacer',
  'config',
  'evaluate',
  'parse',
  'compile',
  'parser',
  'simplify',
  'simplifyCore',
  'simplifyConstant',
  'derivative',
  'rationalize',
  'resolve',
  'symbolicEqual',
  'leafCount',
  'help',
  'chain',
  'typed',
  'print',
];

/** @typedef {'number' | 'bignumber' | 'fraction'} Precision */
/** @typedef {number | string} Scalar */
/** @typedef {Scalar | Scalar[] | Scalar[][]} Variable */
/**
 * @typedef {{ ok: true, result: string, number: number | null, value: unknown, type: string }}
 *   Evaluated
 */
/** @typedef {{ ok: false, message: string }} Refused */
/** @typedef {import('mathjs').MathJsInstance} MathJs */
/**
 * @typedef {{ math: MathJs, run: (expression: string, scope: Map<string, unknown>) => unknown }}
 *   Evaluator
 */

/** @type {Map<Precision, Evaluator>} */
const evaluators = new Map();

/** Loads mathjs and the default evaluator, so that the next call is fast. */
export function warm() {
  getEvaluator('number').run('1 + 1', new Map());
}

/**
 * Evaluates an expression in the mathjs language.
 * @param {{ expression: string, variables: Record<string, Variable>, precision: Precision }}
 *   payload
 * @returns {Evaluated | Refused} Refused, with a message for the caller, if there is no result
 */
export function evaluate({ expression, variables, precision }) {
  const { math, run } = getEvaluator(precision);
  /** @type {Map<string, unknown>} */
  const scope = new Map();
  for (const [name, value] of Object.entries(variables)) {
    try {
      scope.set(name, toVariable(math, value, precision));
    } catch (error) {
      return { ok: false, message: `variables.${name}: ${getMessage(error)}` };
    }
  }
  try {
    const value = lastEntry(run(expression, scope));
    const exact =
      precision === 'number' && isLargeInteger(value) ? evaluateInteger({ expression, variables }) : null;
    return exact ?? describe(math, value, precision);
  } catch (error) {
    const hint = precision === 'fraction' ? ' Precision fraction supports only rational arithmetic.' : '';
    return { ok: false, message: `expression: ${getMessage(error)}.${hint}` };
  }
}

/**
 * Whether a double stands for several integers.
 * @param {unknown} value
 * @returns {value is number}
 */
function isLargeInteger(value) {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * Evaluates with 64 digits what gave an integer with more digits than a double has.
 * @param {{ expression: string, variables: Record<string, Variable> }} payload
 * @returns {Evaluated | null} null unless the result is an integer of at most 64 digits
 */
function evaluateInteger({ expression, variables }) {
  const exact = evaluate({ expression, variables, precision: 'bignumber' });
  return exact.ok && /^-?\d+$/.test(exact.result) ? exact : null;
}

/** @param {unknown} error */
function getMessage(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}

/** @param {Precision} precision @returns {Evaluator} */
function getEvaluator(precision) {
  const known = evaluators.get(precision);
  if (known) return known;
  const number = /** @type {const} */ ({ number: 'number', bignumber: 'BigNumber', fraction: 'Fraction' })[
    precision
  ];
  const math = createMath({ number, precision: BIGNUMBER_DIGITS });
  hideFromExpressions(math);
  /** @type {Evaluator} */
  const made = { math, run: (expression, scope) => math.evaluate(expression, scope) };
  evaluators.set(precision, made);
  return made;
}

/**
 * Replaces the forbidden names in the table in which expressions look up functions. `math.import`,
 * which mathjs recommends, would also replace the `config` that its own functions read.
 * @param {MathJs} math
 */
function hideFromExpressions(math) {
  const { mathWithTransform } = /** @type {{ expression: { mathWithTransform: object } }} */ (
    /** @type {unknown} */ (math)
  ).expression;
  for (const name of FORBIDDEN) {
    const value = () => {
      throw new Error(`The function ${name} is not available`);
    };
    Object.defineProperty(mathWithTransform, name, { value, enumerable: true, configurable: true });
  }
}

/**
 * @param {MathJs} math
 * @param {Variable} value
 * @param {Precision} precision
 * @returns {unknown}
 */
function toVariable(math, value, precision) {
  if (!Array.isArray(value)) return toScalar(math, value, precision);
  const items = value.map((item) =>
    Array.isArray(item)
      ? item.map((inner) => toScalar(math, inner, precision))
      : toScalar(math, item, precision),
  );
  return math.matrix(/** @type {number[]} */ (items));
}

/**
 * Converts through text, because mathjs rejects doubles with more than 15 digits as BigNumbers.
 * @param {MathJs} math
 * @param {number | string} value
 * @param {Precision} precision
 */
function toScalar(math, value, precision) {
  const text = String(value).trim();
  if (precision === 'number') return Number(text);
  return precision === 'bignumber' ? math.bignumber(text) : math.fraction(text);
}

/**
 * Several statements give a ResultSet; its last entry is the result.
 * @param {unknown} value
 */
function lastEntry(value) {
  if (!isA(value, 'isResultSet')) return value;
  return /** @type {{ entries: unknown[] }} */ (value).entries.at(-1);
}

/**
 * @param {unknown} value
 * @param {string} mark the property by which mathjs marks the prototypes of its types
 */
function isA(value, mark) {
  return (
    typeof value === 'object' &&
    value !== null &&
    /** @type {Record<string, unknown>} */ (value)[mark] === true
  );
}

/**
 * @param {MathJs} math
 * @param {unknown} value
 * @param {Precision} precision
 * @returns {Evaluated | Refused}
 */
function describe(math, value, precision) {
  if (typeof value === 'function') {
    return { ok: false, message: 'expression: the result is a function. Call it, for example f(2).' };
  }
  if (value === undefined) {
    return { ok: false, message: 'expression: there is no result. End the expression with a value.' };
  }
  const format = createFormatter(math, precision);
  const result = typeof value === 'string' ? value : format(value);
  if (result.length > MAX_RESULT_CHARS) {
    const message = `expression: the result has more than ${MAX_RESULT_CHARS} characters. Return a part of it.`;
    return { ok: false, message };
  }
  return {
    ok: true,
    result,
    number: toFiniteNumber(value),
    value: toJsonValue(math, value, format),
    type: math.typeOf(value),
  };
}

/**
 * Returns the nearest double of a real scalar, otherwise null.
 * @param {unknown} value
 */
function toFiniteNumber(value) {
  const primitive = typeof value === 'number' || typeof value === 'bigint';
  const number =
    primitive || isA(value, 'isBigNumber') || isA(value, 'isFraction') ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/**
 * Plain notation as long as all digits are exact, otherwise `1e+21`.
 * @param {MathJs} math
 * @param {Precision} precision
 * @returns {(value: unknown) => string}
 */
function createFormatter(math, precision) {
  const options =
    precision === 'number'
      ? { precision: NUMBER_DIGITS, lowerExp: -7, upperExp: 21 }
      : { precision: BIGNUMBER_DIGITS, lowerExp: -7, upperExp: BIGNUMBER_DIGITS };
  // mathjs prints integers as 6/1.
  return (value) => {
    if (precision === 'fraction') return math.format(value, options).replace(/(\d)\/1(?!\d)/g, '$1');
    if (precision === 'bignumber') return math.format(value, options);
    return math.format(value, (/** @type {number} */ number) => formatNumber(math, number, options));
  };
}

/**
 * An integer with all its digits, as far as a double has them; otherwise rounded visibly.
 * @param {MathJs} math
 * @param {number} number
 * @param {import('mathjs').FormatOptions} options
 */
function formatNumber(math, number, options) {
  if (Number.isSafeInteger(number)) return String(number);
  const isRounded = Math.abs(number) >= 10 ** NUMBER_DIGITS;
  return math.format(number, isRounded ? { ...options, notation: 'exponential' } : options);
}

/**
 * Converts a value to JSON; exact numbers become strings, so that no digit is lost.
 * @param {MathJs} math
 * @param {unknown} value
 * @param {(value: unknown) => string} format
 * @returns {unknown}
 */
function toJsonValue(math, value, format) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (isA(value, 'isMatrix')) {
    return toJsonValue(math, /** @type {{ toArray(): unknown }} */ (value).toArray(), format);
  }
  if (Array.isArray(value)) return value.map((item) => toJsonValue(math, item, format));
  if (isA(value, 'isComplex')) {
    const { re, im } = /** @type {{ re: number, im: number }} */ (value);
    return { re: toJsonValue(math, re, format), im: toJsonValue(math, im, format) };
  }
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, toJsonValue(math, item, format)]),
    );
  }
  return format(value);
}
