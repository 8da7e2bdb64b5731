// How a worker serializes the result of its function. Plain JavaScript, because workers run without
// a bundler.
import { isTooDeep, isTooLarge, MAX_OUTPUT_BYTES, MAX_OUTPUT_DEPTH } from '../../kit/output-size.mjs';

/** Levels around an output that its handler removes, such as `{ ok, value }`. */
export const WRAPPING_DEPTH = 2;

/**
 * Serializes an ending (worker-channel.ts), within the limits that the gateway enforces.
 * @param {unknown} value
 * @returns {string}
 * @throws whatever a getter or `toJSON` throws, and a TypeError if the value is not JSON
 */
export function resultText(value) {
  // Size first: with one object referenced many times, finding the depth would take for ever.
  if (isTooLarge(value)) return '{"kind":"tooLarge"}';
  if (isTooDeep(value, MAX_OUTPUT_DEPTH + WRAPPING_DEPTH)) return '{"kind":"tooDeep"}';
  const json = JSON.stringify(value, refuseBytes);
  if (json === undefined && value !== undefined) throw new TypeError(`A ${typeof value} is not JSON`);
  if (Buffer.byteLength(json ?? '') > MAX_OUTPUT_BYTES) return '{"kind":"tooLarge"}';
  return json === undefined ? '{"kind":"value"}' : `{"kind":"value","value":${json}}`;
}

/** @param {string} _ @param {unknown} value */
function refuseBytes(_, value) {
  if (ArrayBuffer.isView(value)) throw new TypeError('Bytes are not JSON: write a file');
  return value;
}
