// How much a tool may give back. Asked in the worker, before a large answer crosses to the gateway's thread, and there
// again for whatever a handler returns. Plain JavaScript, because workers run without a bundler.

/** As JSON. Files go to assets. */
export const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;
/** Numbers, strings, arrays, objects, … in all: what a schema's check costs grows with these, not with bytes. */
export const MAX_OUTPUT_VALUES = 100_000;
/** As deep as an input may be: what writes, compares or stores a value walks it on the stack, after it was charged for. */
export const MAX_OUTPUT_DEPTH = 1_000;

/**
 * Whether a value that came out of JSON has more levels than an output may have. Goes no deeper than that itself; without
 * lists on the way, because a large output has tens of thousands of objects.
 * @param {unknown} root
 * @param {number} [most] levels
 * @returns {boolean}
 */
export function isTooDeep(root, most = MAX_OUTPUT_DEPTH) {
  if (typeof root !== 'object' || root === null) return false;
  if (most < 0) return true;
  if (Array.isArray(root)) {
    for (const item of root) if (typeof item === 'object' && isTooDeep(item, most - 1)) return true;
    return false;
  }
  const fields = /** @type {Record<string, unknown>} */ (root);
  for (const name in fields) {
    const item = fields[name];
    if (typeof item === 'object' && isTooDeep(item, most - 1)) return true;
  }
  return false;
}

/**
 * Whether a value is larger than an output may be. Stops as soon as it is, so that it takes a few milliseconds at most,
 * also for a list of millions or a cycle; what passes may still have more bytes once it is JSON.
 * @param {unknown} root
 */
export function isTooLarge(root) {
  const open = [root];
  let bytes = 0;
  for (let values = 1; open.length > 0; values += 1) {
    const value = open.pop();
    if (typeof value === 'string') bytes += value.length;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (Array.isArray(value)) {
      if (value.length > MAX_OUTPUT_VALUES) return true;
      for (const item of value) open.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        bytes += key.length;
        open.push(item);
      }
    }
    if (bytes > MAX_OUTPUT_BYTES || values + open.length > MAX_OUTPUT_VALUES) return true;
  }
  return false;
}
