import { isTooDeep, MAX_OUTPUT_DEPTH } from './tools/output-size.mjs';

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
