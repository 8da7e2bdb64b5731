import { isTooDeep, MAX_OUTPUT_DEPTH, MAX_OUTPUT_VALUES } from './output-size.mjs';
import { scanJson } from './scan-json';

/**
 * Of an answer: an output, and as much again that the skill leaves out of it. Parsing takes 30 ms
 * at most.
 */
export const MAX_ANSWER_VALUES = 2 * MAX_OUTPUT_VALUES;

/**
 * JSON of another system. `JSON.parse` takes any depth, while all that walks a value afterwards
 * does so on the stack.
 * @throws SyntaxError where it is no JSON; RangeError where it has more than `maxDepth` levels
 */
export function parseJson(text: string, maxDepth: number = MAX_OUTPUT_DEPTH): unknown {
  // raises nothing: it is what this function is said to throw
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value, maxDepth)) throw new RangeError(`JSON of more than ${maxDepth} levels`);
  return value;
}

/**
 * The JSON answer of another system, whose values are counted before they are made: millions of
 * them would block the event loop for seconds.
 * @throws SyntaxError or TypeError where it is no JSON; RangeError where it has too many values or
 *   levels
 */
export function parseAnswer(bytes: Uint8Array, decoder = new TextDecoder()): unknown {
  if (scanJson(bytes).values > MAX_ANSWER_VALUES)
    throw new RangeError(`JSON of more than ${MAX_ANSWER_VALUES} values`);
  return parseJson(decoder.decode(bytes));
}
