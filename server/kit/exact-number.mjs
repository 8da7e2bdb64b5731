// JSON numbers that a double cannot hold, such as 725653563933458433 or 1e400. JSON.parse returns
// another number without an error. Also used by workers and in the browser.

const LITERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const PARTS = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** The limit of `toPrecision`. */
const MAX_DIGITS = 100;
/** A double holds every decimal of so many digits. */
export const SAFE_DIGITS = 15;
/** Smaller doubles have fewer digits. */
const LEAST_NORMAL = 1e-290;
/** Up to here, integers are serialised without an exponent. */
const MAX_PLAIN_CHARS = 22;

/** Whether a text is a number as JSON writes it. @param {string} text */
export function isNumberLiteral(text) {
  return LITERAL.test(text);
}

/**
 * Whether parsing and serialising a JSON number keeps it: an integer digit by digit, a decimal as
 * the double that it stands for (0.10000000000000001 is 0.1 in 17 digits).
 * @param {string} literal
 */
export function isExactNumber(literal) {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (literal.length <= SAFE_DIGITS && Math.abs(value) > LEAST_NORMAL) return true;
  if (String(value) === literal) return true;
  const isInteger = !/[.eE]/.test(literal);
  // Zero is `-0` here.
  if (isInteger && literal.length < MAX_PLAIN_CHARS) return value === 0;
  const { digits } = toDigits(literal);
  if (digits === '') return true;
  if (digits.length > MAX_DIGITS) return false;
  return isSameDecimal(literal, isInteger ? String(value) : value.toPrecision(digits.length));
}

/**
 * Whether two decimals are equal but for their signs, as `0.50e1` and `5` are.
 * @param {string} a
 * @param {string} b
 */
export function isSameDecimal(a, b) {
  const one = toDigits(a);
  const other = toDigits(b);
  return one.digits === other.digits && (one.digits === '' || one.point === other.point);
}

/**
 * The significant digits of a number, and the position of its decimal point among them.
 * @param {string} literal
 */
function toDigits(literal) {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const zeros = all.length - digits.length;
  return { digits: trimZeros(digits), point: whole.length - zeros + Number(exponent) };
}

/** Without a pattern: `0+$` takes quadratic time. @param {string} digits */
function trimZeros(digits) {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
