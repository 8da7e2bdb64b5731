// Limits of a tool's output. The worker checks them before a large output crosses to the gateway's
// thread, and the gateway checks each handler's output. Plain JavaScript: workers run unbundled.

/** Size as JSON. Files become assets instead. */
export const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;
/** Numbers, strings, arrays, objects, …: the cost of a schema check grows with these, not bytes. */
export const MAX_OUTPUT_VALUES = 100_000;
/** Different names of fields: V8 stores each once, which takes ten times as long as a value. */
export const MAX_OUTPUT_NAMES = 5_000;
export const OUTPUT_LIMITS = '2 MiB, 100,000 values or 5,000 different field names';
/** The same as for inputs: code that writes, compares or stores a value recurses over it. */
export const MAX_OUTPUT_DEPTH = 1_000;

/**
 * Whether a JSON value has more levels than an output may have. Recurses no deeper than the limit,
 * and allocates nothing, because a large output has tens of thousands of objects.
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
 * Whether a value is larger than an output may be. Stops at the limit, so it takes a few
 * milliseconds at most, also for millions of items or fields or a cycle. A value that passes may
 * still exceed `MAX_OUTPUT_BYTES` as JSON.
 * @param {unknown} root
 */
export function isTooLarge(root) {
  const fields = countFields(root, null);
  // Few outputs have so many fields that their names must be remembered.
  return fields === null || (fields > MAX_OUTPUT_NAMES && countFields(root, new Set()) === null);
}

/**
 * The number of fields; null if the value is too large, or has too many different names.
 * @param {unknown} root
 * @param {Set<string> | null} names the names so far; null does not count them
 */
function countFields(root, names) {
  const open = [root];
  let bytes = 0;
  let count = 0;
  for (let values = 1; open.length > 0; values += 1) {
    const value = open.pop();
    if (typeof value === 'string') bytes += value.length;
    else if (typeof value !== 'object' || value === null) continue;
    else if (ArrayBuffer.isView(value)) bytes += value.byteLength;
    else if (Array.isArray(value)) {
      if (value.length > MAX_OUTPUT_VALUES) return null;
      for (const item of value) open.push(item);
    } else {
      const fields = /** @type {Record<string, unknown>} */ (value);
      // A third of the time of Object.entries, for thousands of names.
      for (const key of Object.keys(fields)) {
        count += 1;
        bytes += key.length;
        names?.add(key);
        open.push(fields[key]);
      }
    }
    if (names && names.size > MAX_OUTPUT_NAMES) return null;
    if (bytes > MAX_OUTPUT_BYTES || values + open.length > MAX_OUTPUT_VALUES) return null;
  }
  return count;
}
