// How much a tool may give back. Asked in the worker, before a large answer crosses to the gateway's thread, and there
// again for whatever a handler returns. Plain JavaScript, because workers run without a bundler.

/** As JSON. Files go to assets. */
export const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;
/** Numbers, strings, arrays, objects, … in all: what a schema's check costs grows with these, not with bytes. */
export const MAX_OUTPUT_VALUES = 100_000;
/** As deep as an input may be: what writes, compares or stores a value walks it on the stack, after it was charged for. */
export const MAX_OUTPUT_DEPTH = 1_000;

/**
 * Whether a value has more levels than an output may have. Only for what is not too large, and has no cycle.
 * @param {unknown} root
 * @param {number} [most] levels
 */
export function isTooDeep(root, most = MAX_OUTPUT_DEPTH) {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? Object.values(value).filter((item) => typeof item === 'object' && item !== null)
        : [],
    );
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
