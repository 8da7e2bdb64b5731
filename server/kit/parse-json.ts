import { isTooDeep, MAX_OUTPUT_DEPTH, MAX_OUTPUT_NAMES, MAX_OUTPUT_VALUES } from './output-size.mjs';
import { InexactNumberReplacer } from './replace-inexact-numbers.mjs';
import { type JsonScan, scanJson } from './scan-json';
import { yieldToEventLoop } from './yield-to-event-loop';

/** Response limit: a full output and as much data that the skill discards. Parses in 30 ms. */
export const MAX_RESPONSE_VALUES = 2 * MAX_OUTPUT_VALUES;
export const MAX_RESPONSE_NAMES = 2 * MAX_OUTPUT_NAMES;
export const RESPONSE_LIMITS = `${MAX_RESPONSE_VALUES} values or ${MAX_RESPONSE_NAMES} different field names`;

const PIECE_BYTES = 16 * 1024;
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });

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
export function parseJsonResponse(bytes: Uint8Array): unknown {
  scanResponse(bytes);
  return parseJson(new TextDecoder().decode(bytes));
}

/**
 * The same for UTF-8 that a caller receives: a number that a double cannot hold becomes text with
 * its digits.
 */
export async function parseExactResponse(bytes: Uint8Array): Promise<unknown> {
  // The answers to a batch may arrive together.
  await yieldToEventLoop();
  const { mayLoseDigits } = scanResponse(bytes);
  const exact = mayLoseDigits ? await replaceInexactNumbers(bytes) : bytes;
  return parseJson(STRICT_UTF8.decode(exact));
}

function scanResponse(bytes: Uint8Array): JsonScan {
  const scan = scanJson(bytes, MAX_RESPONSE_NAMES);
  if (scan.values > MAX_RESPONSE_VALUES || scan.names > MAX_RESPONSE_NAMES)
    throw new RangeError(`JSON of more than ${RESPONSE_LIMITS}`);
  return scan;
}

/**
 * Replaces the numbers in JSON that a double cannot hold, by default with text of the same digits.
 * Takes a turn of the event loop per piece: thousands of long numbers take longer than parsing.
 * @param replace returns JSON
 */
export async function replaceInexactNumbers(
  json: Uint8Array,
  replace?: (literal: string) => string,
): Promise<Uint8Array> {
  const replacer = new InexactNumberReplacer(replace);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < json.length; at += PIECE_BYTES) {
    if (at > 0) await yieldToEventLoop();
    parts.push(replacer.push(json.subarray(at, at + PIECE_BYTES)));
  }
  return Buffer.concat([...parts, replacer.end()]);
}
