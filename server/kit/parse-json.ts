import { isTooDeep, MAX_OUTPUT_DEPTH, MAX_OUTPUT_NAMES, MAX_OUTPUT_VALUES } from './output-size.mjs';
import { scanJson } from './scan-json';

/** Response limit: a full output and as much data that the skill discards. Parses in 30 ms. */
export const MAX_RESPONSE_VALUES = 2 * MAX_OUTPUT_VALUES;
export const MAX_RESPONSE_NAMES = 2 * MAX_OUTPUT_NAMES;
export const RESPONSE_LIMITS = `${MAX_RESPONSE_VALUES} values or ${MAX_RESPONSE_NAMES} different field names`;

/**
 * Parses JSON from another system and limits its depth, because code that walks the value recurses.
 * @throws SyntaxError if it is not JSON; RangeError if it has more than `maxDepth` levels
 */
export function parseJson(text: string, maxDepth: number = MAX_OUTPUT_DEPTH): unknown {
  // Cannot throw: throwing is documented behavior
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value, maxDepth)) throw new RangeError(`JSON of more than ${maxDepth} levels`);
  return value;
}

/**
 * Parses a JSON response from another system. Counts its values and names first, because parsing
 * millions of them would block the event loop for seconds.
 * @throws SyntaxError or TypeError if it is not JSON; RangeError for too many values, names, levels
 */
export function parseJsonResponse(bytes: Uint8Array, decoder = new TextDecoder()): unknown {
  const { values, names } = scanJson(bytes);
  if (values > MAX_RESPONSE_VALUES || names > MAX_RESPONSE_NAMES)
    throw new RangeError(`JSON of more than ${RESPONSE_LIMITS}`);
  return parseJson(decoder.decode(bytes));
}
