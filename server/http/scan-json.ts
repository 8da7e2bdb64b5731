/** Objects, arrays and fields of one body: what reading, checking and comparing it costs grows with these, to 50 ms. */
export const MAX_JSON_PARTS = 20_000;
/** JSON.parse takes any depth; what writes, compares or stores a value walks it on the stack. */
export const MAX_JSON_DEPTH = 1_000;
/** Digits of the shortest whole number that is Infinity. */
const INFINITE_DIGITS = 309;

const [QUOTE, BACKSLASH, OPEN_ARRAY, OPEN_OBJECT, COLON, CLOSE_ARRAY, CLOSE_OBJECT] = [...'"\\[{:]}'].map(
  (sign) => sign.charCodeAt(0),
);
const [ZERO, NINE, SMALL_E, LARGE_E] = [...'09eE'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];

export interface JsonScan {
  /** Objects, arrays and fields. */
  readonly parts: number;
  /** How deep they are in each other. */
  readonly depth: number;
  /** Whether a number may be Infinity once it is parsed. */
  readonly mayBeInfinite: boolean;
}

/** What a body is made of, before it is parsed: one pass over its bytes, 3 ms for a MiB. It need not be valid. */
export function scanJson(bytes: Uint8Array): JsonScan {
  let parts = 0;
  let open = 0;
  let depth = 0;
  let digits = 0;
  let mayBeInfinite = false;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
      continue;
    }
    if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      continue;
    }
    // An exponent follows a digit; the e of `true` does not.
    if (digits >= INFINITE_DIGITS || (digits > 0 && (byte === SMALL_E || byte === LARGE_E)))
      mayBeInfinite = true;
    digits = 0;
    if (byte === QUOTE) inText = true;
    else if (byte === COLON) parts += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      parts += 1;
      open += 1;
      if (open > depth) depth = open;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) open -= 1;
  }
  return { parts, depth, mayBeInfinite: mayBeInfinite || digits >= INFINITE_DIGITS };
}
