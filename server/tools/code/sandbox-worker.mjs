// Runs a caller's JavaScript in QuickJS, an engine compiled to WebAssembly: it sees nothing of this
// process but the few functions given to it here. Each run has a module of its own, so that nothing
// is left over from another's.
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { createConsole } from './sandbox-console.mjs';
import { PRELUDE } from './sandbox-prelude.mjs';
import { createTimers } from './sandbox-timers.mjs';

/**
 * In pages of 64 KiB: 64 MiB. QuickJS's own limit does not count what it allocates in this build.
 */
const MEMORY_PAGES = { initial: 256, maximum: 1_024 };
/** The engine grows its memory in steps, and the last one may not fit. */
const NEARLY_FULL_BYTES = 48 * 1024 * 1024;
/**
 * Measured: V8's own stack ends at some 300 KiB of QuickJS's, and that would be no error the code
 * can catch.
 */
const STACK_LIMIT_BYTES = 128 * 1024;
/**
 * Top-level `await`; the completion value comes as a promise of `{ value }` (JS_EVAL_FLAG_ASYNC of
 * QuickJS).
 */
const EVAL_ASYNC = 1 << 7;
const FILE = 'code.js';
const MAX_VALUE_CHARS = 1024 * 1024;
/** To look at a result or an error after the time is up. */
const LOOK_MS = 250;

/**
 * @typedef {object} Program
 * @property {string} code
 * @property {Record<string, unknown>} variables
 * @property {number} timeLimitMs
 */

/**
 * @param {Program} program
 * @param {import('../../platform/workers/worker-processes').WorkerReports} reports
 */
export function run(program, reports) {
  return refusable(async () => {
    const sandbox = await createSandbox(program, reports);
    const begunAt = performance.now();
    try {
      const { value, type } = await sandbox.run(program.code);
      const durationMs = Math.round(performance.now() - begunAt);
      return { value, type, ...sandbox.console.complete(), duration_ms: durationMs };
    } catch (error) {
      sandbox.console.fail();
      // What the engine itself cannot survive, such as the end of V8's stack, ends the run and its
      // module.
      if (error instanceof Refusal || !(error instanceof Error)) throw error;
      throw new Refusal(
        sandbox.reason() ?? 'code: it went beyond the limits of the sandbox (memory, or depth of calls).',
      );
    }
  });
}

/** @param {Program} program @param {import('../../platform/workers/worker-processes').WorkerReports} reports */
async function createSandbox({ variables, timeLimitMs }, reports) {
  const wasmMemory = new WebAssembly.Memory(MEMORY_PAGES);
  const module = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(STACK_LIMIT_BYTES);
  const context = runtime.newContext();
  // The caller's time begins with the caller's code.
  let deadline = Number.POSITIVE_INFINITY;
  let late = false;
  const clock = {
    getDeadline: () => deadline,
    isPast: () => {
      // Read once: a second reading could be past the deadline where the first was not.
      const isPast = performance.now() > deadline;
      late ||= isPast;
      return isPast;
    },
    // Timers fire up to a millisecond early: what waited for the deadline does not ask again.
    expire: () => {
      late = true;
    },
  };
  runtime.setInterruptHandler(clock.isPast);
  const reason = () =>
    late
      ? `code: did not end within ${timeLimitMs / 1_000} s. Raise timeout_seconds (up to 30) or do less.`
      : null;
  // Before any code of the caller, who may replace what is built in.
  const helpers = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  /** @param {string} name @param {import('quickjs-emscripten').QuickJSHandle} value */
  const ask = (name, value) => {
    const helper = context.getProp(helpers, name);
    const result = helper.consume((call) => context.callFunction(call, context.undefined, value));
    if (!result.error) return result.value.consume((text) => context.getString(text));
    result.error.dispose();
    return null;
  };
  /** @param {string} name @param {import('quickjs-emscripten').QuickJSHandle} value */
  const askLate = (name, value) => {
    const until = deadline;
    deadline = Math.max(deadline, performance.now() + LOOK_MS);
    const text = ask(name, value);
    deadline = until;
    return text;
  };
  const console = createConsole(context, (value) => ask('show', value) ?? '(cannot be shown)', reports.log);
  const timers = createTimers(context, clock, reports.sleep);
  for (const [name, value] of Object.entries(variables))
    context.setProp(context.global, name, context.unwrapResult(parseIn(context, helpers, value)));

  /** @param {import('quickjs-emscripten').QuickJSHandle} error */
  const refuse = (error) => {
    // Without memory for an error of its own the engine throws null.
    const isFull = wasmMemory.buffer.byteLength > NEARLY_FULL_BYTES && context.eq(error, context.null);
    const thrown = isFull ? 'out of memory.' : (askLate('describe', error) ?? 'threw what cannot be shown.');
    throw new Refusal(reason() ?? `code: ${thrown}`);
  };
  return {
    console,
    reason,
    /** @param {string} code @returns {Promise<{ value: unknown, type: string }>} */
    async run(code) {
      deadline = performance.now() + timeLimitMs;
      let result = context.evalCode(code, FILE, EVAL_ASYNC);
      let wrapped = false;
      if (result.error && /return not in a function/.test(askLate('describe', result.error) ?? '')) {
        wrapped = true;
        // On the same line, so that the lines of errors are those of the caller.
        result = context.evalCode(`(async () => {${code}\n})()`, FILE);
      }
      if (result.error) return refuse(result.error);
      const settled = await timers.settle(result.value);
      if (settled === null)
        throw new Refusal(reason() ?? 'code: waits for a promise that nothing will settle.');
      if (settled.error) return refuse(settled.error);
      // The completion value may be a promise itself.
      const completed = wrapped ? settled.value : context.getProp(settled.value, 'value');
      const last = await timers.settle(completed);
      if (last === null) throw new Refusal(reason() ?? 'code: ends in a promise that nothing will settle.');
      if (last.error) return refuse(last.error);
      return readValue(last.value);
    },
  };

  /** @param {import('quickjs-emscripten').QuickJSHandle} value */
  function readValue(value) {
    const text = askLate('encode', value);
    if (text === null)
      throw new Refusal('code: the value cannot be written as JSON (a cycle?). Return plain data.');
    if (text.length > MAX_VALUE_CHARS)
      throw new Refusal('code: the value has more than 1 MiB as JSON. Return a part or a summary of it.');
    return /** @type {{ value: unknown, type: string }} */ (JSON.parse(text));
  }
}

/**
 * @param {import('quickjs-emscripten').QuickJSContext} context
 * @param {import('quickjs-emscripten').QuickJSHandle} helpers
 * @param {unknown} value
 */
function parseIn(context, helpers, value) {
  const text = context.newString(JSON.stringify(value));
  return context.callFunction(context.getProp(helpers, 'parse'), context.undefined, text);
}
