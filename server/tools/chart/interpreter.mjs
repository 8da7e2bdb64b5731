// Vega normally compiles a spec's expressions to JavaScript. Specs are untrusted, so this evaluates
// their syntax trees, with only the operators and functions listed here. vega-runtime defines the
// shape of `View({ expr })`: operator, parameter, event, handler, encode.

/** @typedef {any} Value result of an expression */
/** @typedef {Record<string, Value> & { type: string }} Tree a node of Vega's expression parser */
/**
 * @typedef {{ functions: Record<string, (...values: Value[]) => Value> }} Context of vega-runtime
 */
/**
 * @typedef {{ functions: Context['functions'], signals?: Value, datum?: Value, event?: Value,
 *   item?: Value }} Scope
 */

const CONSTANTS = new Map(
  Object.entries({
    NaN: Number.NaN,
    E: Math.E,
    LN2: Math.LN2,
    LN10: Math.LN10,
    LOG2E: Math.LOG2E,
    LOG10E: Math.LOG10E,
    PI: Math.PI,
    SQRT1_2: Math.SQRT1_2,
    SQRT2: Math.SQRT2,
    MIN_VALUE: Number.MIN_VALUE,
    MAX_VALUE: Number.MAX_VALUE,
    undefined: undefined,
  }),
);

/** @type {Map<string, (a: Value, b: Value) => Value>} */
const BINARY = new Map(
  Object.entries({
    // biome-ignore lint/suspicious/noDoubleEquals: the operator that the spec's author wrote
    '==': (a, b) => a == b,
    // biome-ignore lint/suspicious/noDoubleEquals: the operator that the spec's author wrote
    '!=': (a, b) => a != b,
    '===': (a, b) => a === b,
    '!==': (a, b) => a !== b,
    '<': (a, b) => a < b,
    '>': (a, b) => a > b,
    '<=': (a, b) => a <= b,
    '>=': (a, b) => a >= b,
    '|': (a, b) => a | b,
    '^': (a, b) => a ^ b,
    '&': (a, b) => a & b,
    '<<': (a, b) => a << b,
    '>>': (a, b) => a >> b,
    '>>>': (a, b) => a >>> b,
    '+': (a, b) => a + b,
    '-': (a, b) => a - b,
    '*': (a, b) => a * b,
    '/': (a, b) => a / b,
    '%': (a, b) => a % b,
  }),
);

/** @type {Map<string, (a: Value) => Value>} */
const UNARY = new Map(Object.entries({ '+': (a) => +a, '-': (a) => -a, '~': (a) => ~a, '!': (a) => !a }));

const FUNCTIONS = builtInFunctions();

/** The `expr` option of `new View(runtime, { expr })`. */
export const interpreter = {
  /** @param {Context} context @param {{ ast: Tree }} expression */
  operator:
    ({ functions }, { ast }) =>
    (/** @type {Value} */ signals) =>
      evaluate(ast, { functions, signals }),
  /** @param {Context} context @param {{ ast: Tree }} expression */
  parameter:
    ({ functions }, { ast }) =>
    (/** @type {Value} */ datum, /** @type {Value} */ signals) =>
      evaluate(ast, { functions, datum, signals }),
  /** @param {Context} context @param {{ ast: Tree }} expression */
  event:
    ({ functions }, { ast }) =>
    (/** @type {Value} */ event) =>
      evaluate(ast, { functions, event }),
  /** @param {Context} context @param {{ ast: Tree }} expression */
  handler:
    ({ functions }, { ast }) =>
    (/** @type {Value} */ signals, /** @type {Value} */ event) =>
      evaluate(ast, { functions, signals, event, datum: event.item?.datum }),
  encode: encoder,
};

/**
 * Returns a function that sets the channels of a mark's item and returns 1 if any of them changed.
 * @param {Context} context
 * @param {{ marktype: string, channels: Record<string, { ast: Tree }> }} encode
 */
function encoder({ functions }, { marktype, channels }) {
  const entries = Object.entries(channels);
  return (/** @type {Value} */ item, /** @type {Value} */ signals) => {
    let changed = 0;
    for (const [name, { ast }] of entries) {
      const value = evaluate(ast, { functions, signals, item, datum: item.datum });
      if (item[name] === value) continue;
      item[name] = value;
      changed = 1;
    }
    if (marktype !== 'rule') {
      const swaps = marktype === 'group' || marktype === 'image' || marktype === 'rect';
      span(item, channels, swaps, 'x', 'width');
      span(item, channels, swaps, 'y', 'height');
    }
    return changed;
  };
}

/**
 * Converts two ends, or a centre, to a start and a length.
 * @param {Value} item
 * @param {object} channels
 * @param {boolean} swaps
 * @param {'x' | 'y'} axis
 * @param {'width' | 'height'} length
 */
function span(item, channels, swaps, axis, length) {
  const [end, centre] = [`${axis}2`, `${axis}c`];
  if (Object.hasOwn(channels, end)) {
    if (Object.hasOwn(channels, axis)) {
      if (swaps && item[axis] > item[end]) [item[axis], item[end]] = [item[end], item[axis]];
      item[length] = item[end] - item[axis];
    } else item[axis] = item[end] - (item[length] || 0);
  }
  if (Object.hasOwn(channels, centre)) item[axis] = item[centre] - (item[length] || 0) / 2;
}

/** @param {Tree} tree @param {Scope} scope @returns {Value} */
export function evaluate(tree, scope) {
  switch (tree.type) {
    case 'Literal':
      return tree.value;
    case 'Identifier':
      return resolveIdentifier(tree.name, scope);
    case 'MemberExpression':
      return readMember(evaluate(tree.object, scope), resolveKey(tree, scope));
    case 'CallExpression':
      return call(tree, scope);
    case 'ArrayExpression':
      return tree.elements.map((/** @type {Tree} */ element) => evaluate(element, scope));
    case 'BinaryExpression':
      return findOperator(BINARY, tree)(evaluate(tree.left, scope), evaluate(tree.right, scope));
    case 'UnaryExpression':
      return findOperator(UNARY, tree)(evaluate(tree.argument, scope));
    case 'ConditionalExpression':
      return evaluate(evaluate(tree.test, scope) ? tree.consequent : tree.alternate, scope);
    case 'LogicalExpression': {
      const left = evaluate(tree.left, scope);
      return (tree.operator === '&&') === Boolean(left) ? evaluate(tree.right, scope) : left;
    }
    case 'ObjectExpression':
      return buildObject(tree, scope);
    default:
      throw new Error(`An expression contains ${tree.type}, which is not supported.`);
  }
}

/** @param {string} name @param {Scope} scope */
function resolveIdentifier(name, scope) {
  if (name === 'datum') return scope.datum;
  if (name === 'event') return scope.event;
  if (name === 'item') return scope.item;
  return CONSTANTS.has(name) ? CONSTANTS.get(name) : scope.signals?.[`$${name}`];
}

/** @param {Tree} tree @param {Scope} scope */
function resolveKey(tree, scope) {
  return tree.computed ? evaluate(tree.property, scope) : tree.property.name;
}

/**
 * Reads own properties only, and no functions, so no expression reaches a prototype or constructor.
 * @param {Value} value
 * @param {Value} key
 */
function readMember(value, key) {
  if (value === null || value === undefined)
    throw new TypeError(`An expression reads ${JSON.stringify(String(key))} of ${value}.`);
  // Own properties suffice: derived tuples and mark items hold their values; symbols are Vega's.
  const name = typeof key === 'number' ? key : String(key);
  if (!Object.hasOwn(Object(value), name)) return undefined;
  const member = value[name];
  return typeof member === 'function' ? undefined : member;
}

/** @template Operator @param {Map<string, Operator>} operators @param {Tree} tree */
function findOperator(operators, { operator }) {
  const found = operators.get(operator);
  if (!found) throw new Error(`An expression uses the operator ${operator}, which is not supported.`);
  return found;
}

/** @param {Tree} tree @param {Scope} scope */
function call({ callee, arguments: given }, scope) {
  // Encoders call `_scale` and similar: the same functions under names that specs cannot use.
  const name = String(callee.name).replace(/^_/, '');
  if (name === 'if') return evaluate(evaluate(given[0], scope) ? given[1] : given[2], scope);
  const values = given.map((/** @type {Tree} */ argument) => evaluate(argument, scope));
  const { functions } = scope;
  const found = functions[name];
  // Excludes methods that every object inherits.
  const isInherited = found === Reflect.get(Object.prototype, name);
  if (typeof found === 'function' && !isInherited) return found.apply(functions, values);
  const builtIn = FUNCTIONS.get(name);
  if (!builtIn) throw new Error(`An expression calls ${name}, which is not available in a static chart.`);
  return builtIn(...values);
}

/** @param {Tree} tree @param {Scope} scope */
function buildObject({ properties }, scope) {
  /** @type {Record<string, Value>} */
  const object = {};
  for (const { key, value } of properties) {
    const name = String(key.type === 'Literal' ? key.value : key.name);
    // Prevents expressions from setting a prototype or overriding inherited methods.
    if (name in Object.prototype) throw new Error(`An expression sets ${name}, which is not allowed.`);
    object[name] = evaluate(value, scope);
  }
  return object;
}

/** The functions that Vega's code generator emits as inline JavaScript. */
function builtInFunctions() {
  const date = (/** @type {Value} */ value) => new Date(value);
  const sequence = (/** @type {Value} */ value) => (Array.isArray(value) ? value : String(value));
  /** @type {Record<string, (...values: Value[]) => Value>} */
  const functions = {
    isNaN: Number.isNaN,
    isFinite: Number.isFinite,
    clamp: (value, low, high) => Math.max(low, Math.min(high, value)),
    now: () => Date.now(),
    utc: Date.UTC,
    datetime: (...parts) => Reflect.construct(Date, parts),
    time: (value) => date(value).getTime(),
    timezoneoffset: (value) => date(value).getTimezoneOffset(),
    length: (value) => sequence(value).length,
    parseFloat: Number.parseFloat,
    parseInt: Number.parseInt,
    upper: (text) => String(text).toUpperCase(),
    lower: (text) => String(text).toLowerCase(),
    substring: (text, from, to) => String(text).substring(from, to),
    split: (text, by, limit) => String(text).split(by, limit),
    trim: (text) => String(text).trim(),
    btoa: (text) => btoa(text),
    atob: (text) => atob(text),
    encodeURIComponent: (text) => encodeURIComponent(text),
    regexp: (pattern, flags) => new RegExp(pattern, flags),
    test: (pattern, text) => new RegExp(pattern).test(text),
  };
  for (const name of [
    'abs',
    'acos',
    'asin',
    'atan',
    'atan2',
    'ceil',
    'cos',
    'exp',
    'floor',
    'hypot',
    'log',
    'max',
    'min',
    'pow',
    'random',
    'round',
    'sin',
    'sqrt',
    'tan',
  ])
    functions[name] = Math[/** @type {'abs'} */ (name)];
  const parts = {
    date: 'Date',
    day: 'Day',
    year: 'FullYear',
    month: 'Month',
    hours: 'Hours',
    minutes: 'Minutes',
    seconds: 'Seconds',
    milliseconds: 'Milliseconds',
  };
  for (const [name, part] of Object.entries(parts)) {
    functions[name] = (value) => date(value)[/** @type {'getDate'} */ (`get${part}`)]();
    functions[`utc${name}`] = (value) => date(value)[/** @type {'getUTCDate'} */ (`getUTC${part}`)]();
  }
  return new Map(Object.entries(functions));
}
