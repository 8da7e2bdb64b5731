import { isTooDeep, MAX_OUTPUT_DEPTH, MAX_OUTPUT_VALUES } from './output-size.mjs';
import { scanJson } from './scan-json';

/** Response limit: a full output and as much data that the skill discards. Parses in 30 ms. */
export const MAX_RESPONSE_VALUES = 2 * MAX_OUTPUT_VALUES;

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
 * Parses a JSON response from another system. Counts its values first, because parsing millions of
 * them would block the event loop for seconds.
 * @throws SyntaxError or TypeError if it is not JSON; RangeError for too many values or levels
 */
export function parseJsonResponse(bytes: Uint8Array, decoder = new TextDecoder()): unknown {
  if (scanJson(bytes).values > MAX_RESPONSE_VALUES)
    throw new RangeError(`JSON of more than ${MAX_RESPONSE_VALUES} values`);
  return parseJson(decoder.decode(bytes));
}
