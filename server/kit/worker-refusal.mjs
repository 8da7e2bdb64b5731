// A worker error that the caller can fix crosses to the gateway as a value, with its message; all
// others become "The tool failed." Plain JavaScript: workers run unbundled.

/** Thrown in a worker. The message is for the caller: it names the field and how to fix it. */
export class Refusal extends Error {}

/**
 * @template Value
 * @typedef {{ ok: true, value: Value } | { ok: false, message: string }} Refusable
 */

/**
 * @template Value
 * @param {() => Promise<Value> | Value} work
 * @returns {Promise<Refusable<Value>>}
 */
export async function refusable(work) {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: error.message };
    throw error;
  }
}
