// How a worker says "the caller has to change something": an error that crosses to the gateway as a value, so that its
// words reach the caller, while every other failure stays "The tool failed." Plain JavaScript: workers run unbundled.

/** Thrown in a worker, in words for the caller that name the field and the mend. */
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
