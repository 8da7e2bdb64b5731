// What a worker makes of its function's result before it sends it. Plain JavaScript: workers run
// without a bundler.
import { isTooDeep, isTooLarge, MAX_OUTPUT_BYTES, MAX_OUTPUT_DEPTH } from '../../kit/output-size.mjs';

/** Levels around an output that its handler takes off, such as `{ ok, value }`. */
export const WRAPPING_DEPTH = 2;

/**
 * The JSON text of an ending (worker-channel.ts), within the bounds that the gateway holds a worker
 * to.
 * @param {unknown} value
 * @returns {string}
 * @throws whatever a getter or `toJSON` of the value throws, and a TypeError for what is no JSON
 */
export function resultText(value) {
  // Counted first: what refers to one object many times would take the search for its depth
  // forever.
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
