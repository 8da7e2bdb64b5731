const LITERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const TOKEN = /"(?:[^"\\]+|\\.)*"|[\d.eE+-]+/g;
/** The limit of `toPrecision`. */
const MAX_DIGITS = 100;
/** A double holds every decimal of so many digits. */
const SAFE_DIGITS = 15;
/** Smaller doubles have fewer digits. */
const LEAST_NORMAL = 1e-290;
/** Up to here, integers are serialised without an exponent. */
const MAX_PLAIN_CHARS = 22;

/** Whether a text is a number as JSON writes it. */
function isNumberLiteral(text: string): boolean {
  return LITERAL.test(text);
}

/**
 * Whether parsing and serialising a JSON number keeps it: an integer digit by digit, a decimal as
 * the double that it stands for (0.10000000000000001 is 0.1 in 17 digits).
 */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  if (literal.length <= SAFE_DIGITS && Number.isFinite(value) && Math.abs(value) > LEAST_NORMAL) return true;
  if (String(value) === literal) return true;
  const isInteger = !/[.eE]/.test(literal);
  // Zero is `-0` here.
  if (isInteger && literal.length < MAX_PLAIN_CHARS) return value === 0;
  const { digits, point } = toDigits(literal);
  if (digits === '') return true;
  if (!Number.isFinite(value) || digits.length > MAX_DIGITS) return false;
  const kept = toDigits(isInteger ? String(value) : value.toPrecision(digits.length));
  return kept.digits === digits && kept.point === point;
}

/**
 * The significant digits of a number, and the position of its decimal point among them.
 */
function toDigits(literal: string): { digits: string; point: number } {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  const zeros = all.length - digits.length;
  return { digits: trimZeros(digits), point: whole.length - zeros + Number(exponent) };
}

/** Without a pattern: `0+$` takes quadratic time. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Which tokens of valid JSON text are numbers that a double cannot hold. */
function isInexact(token: string): boolean {
  return !token.startsWith('"') && isNumberLiteral(token) && !isExactNumber(token);
}

/**
 * Returns the first number in valid JSON text that a double cannot hold: JSON.parse would return
 * another one. Undefined if there is none.
 */
export function findInexactNumber(json: string): string | undefined {
  for (const [token] of json.matchAll(TOKEN)) if (isInexact(token)) return token;
  return undefined;
}

/** Replaces such numbers. @param replace returns JSON */
export function replaceInexactNumbers(json: string, replace: (literal: string) => string): string {
  return json.replace(TOKEN, (token) => (isInexact(token) ? replace(token) : token));
}
