// Runs a caller's JavaScript in QuickJS, an engine compiled to WebAssembly. The code reaches this
// process only through the functions passed to it here. Each run gets a new module, so no state
// carries over between runs.
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { createConsole } from './sandbox-console.mjs';
import { PRELUDE } from './sandbox-prelude.mjs';
import { createTimers } from './sandbox-timers.mjs';

/** 64 MiB, in pages of 64 KiB. QuickJS's own limit does not count all allocations of this build. */
const MEMORY_PAGES = { initial: 256, maximum: 1_024 };
/** The engine grows its memory in steps, so it can run out before it reaches the maximum. */
const NEARLY_FULL_BYTES = 48 * 1024 * 1024;
/**
 * V8's stack overflows at about 300 KiB of QuickJS's stack (measured), which the code could not
 * catch as an error.
 */
const STACK_LIMIT_BYTES = 128 * 1024;
/**
 * JS_EVAL_FLAG_ASYNC of QuickJS: allows top-level `await` and returns a promise of `{ value }` with
 * the completion value.
 */
const EVAL_ASYNC = 1 << 7;
const FILE = 'code.js';
const MAX_VALUE_CHARS = 1024 * 1024;
/** Extra time after the deadline to serialize a result or an error. */
const GRACE_MS = 250;

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
    const startedAt = performance.now();
    try {
      const { value, type } = await sandbox.run(program.code);
      const durationMs = Math.round(performance.now() - startedAt);
      return { value, type, ...sandbox.console.complete(), duration_ms: durationMs };
    } catch (error) {
      sandbox.console.fail();
      // An error such as a V8 stack overflow breaks the engine, so its module is discarded.
      if (error instanceof Refusal || !(error instanceof Error)) throw error;
      throw new Refusal(
        sandbox.reason() ??
          'code: exceeded the limits of the sandbox (memory or call depth). Use less data or recursion.',
      );
    }
  });
}

/**
 * @param {Program} program
 * @param {import('../../platform/workers/worker-processes').WorkerReports} reports
 */
async function createSandbox({ variables, timeLimitMs }, reports) {
  const wasmMemory = new WebAssembly.Memory(MEMORY_PAGES);
  const module = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }));
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(STACK_LIMIT_BYTES);
  const context = runtime.newContext();
  const clock = createClock(timeLimitMs);
  runtime.setInterruptHandler(clock.isPast);
  // Created first, because the caller's code may replace built-ins.
  const helpers = createHelpers(context, clock);
  const console = createConsole(
    context,
    (value) => helpers.call('show', value) ?? '(cannot be displayed)',
    reports.log,
  );
  const timers = createTimers(context, clock, reports.sleep);
  for (const [name, value] of Object.entries(variables))
    context.setProp(context.global, name, helpers.parse(value));

  /** @param {import('quickjs-emscripten').QuickJSHandle} error */
  const refuse = (error) => {
    // When there is no memory left for an error object, the engine throws null.
    const isFull = wasmMemory.buffer.byteLength > NEARLY_FULL_BYTES && context.eq(error, context.null);
    const thrown = isFull
      ? 'out of memory.'
      : (helpers.callLate('describe', error) ?? 'threw a value that cannot be displayed.');
    throw new Refusal(clock.reason() ?? `code: ${thrown}`);
  };
  return {
    console,
    reason: clock.reason,
    /** @param {string} code @returns {Promise<{ value: unknown, type: string }>} */
    async run(code) {
      clock.start();
      let result = context.evalCode(code, FILE, EVAL_ASYNC);
      let wrapped = false;
      if (result.error && /return not in a function/.test(helpers.callLate('describe', result.error) ?? '')) {
        wrapped = true;
        // Keeps the code on the first line, so that line numbers in errors match the caller's.
        result = context.evalCode(`(async () => {${code}\n})()`, FILE);
      }
      if (result.error) return refuse(result.error);
      const settled = await timers.settle(result.value);
      if (settled === null)
        throw new Refusal(clock.reason() ?? 'code: waits for a promise that never settles.');
      if (settled.error) return refuse(settled.error);
      // The completion value itself may be a promise.
      const completed = wrapped ? settled.value : context.getProp(settled.value, 'value');
      const last = await timers.settle(completed);
      if (last === null) throw new Refusal(clock.reason() ?? 'code: returns a promise that never settles.');
      if (last.error) return refuse(last.error);
      return readValue(helpers, last.value);
    },
  };
}

/**
 * The time limit of a run, which starts with the caller's code.
 * @param {number} timeLimitMs
 */
function createClock(timeLimitMs) {
  let deadline = Number.POSITIVE_INFINITY;
  let late = false;
  return {
    start: () => {
      deadline = performance.now() + timeLimitMs;
    },
    getDeadline: () => deadline,
    isPast: () => {
      // Read the clock once, so that the result and `late` always agree.
      const isPast = performance.now() > deadline;
      late ||= isPast;
      return isPast;
    },
    // Timers can fire up to a millisecond early, so a timer at the deadline sets `late` itself.
    expire: () => {
      late = true;
    },
    /**
     * Runs work of the sandbox itself, which may also start after the deadline.
     * @template T
     * @param {() => T} work
     */
    extend: (work) => {
      const until = deadline;
      deadline = Math.max(deadline, performance.now() + GRACE_MS);
      const result = work();
      deadline = until;
      return result;
    },
    reason: () =>
      late
        ? `code: exceeded the time limit of ${timeLimitMs / 1_000} s. Raise timeout_seconds (up to 30) or do less.`
        : null,
  };
}

/**
 * The functions of the prelude, which run in the engine.
 * @param {import('quickjs-emscripten').QuickJSContext} context
 * @param {ReturnType<typeof createClock>} clock
 */
function createHelpers(context, clock) {
  const helpers = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  /** @param {string} name @param {import('quickjs-emscripten').QuickJSHandle} value */
  const call = (name, value) => {
    const helper = context.getProp(helpers, name);
    const result = helper.consume((fn) => context.callFunction(fn, context.undefined, value));
    if (!result.error) return result.value.consume((text) => context.getString(text));
    result.error.dispose();
    return null;
  };
  return {
    call,
    /** @param {string} name @param {import('quickjs-emscripten').QuickJSHandle} value */
    callLate: (name, value) => clock.extend(() => call(name, value)),
    /** @param {unknown} value */
    parse(value) {
      const text = context.newString(JSON.stringify(value));
      const result = context.callFunction(context.getProp(helpers, 'parse'), context.undefined, text);
      return context.unwrapResult(result);
    },
  };
}

/**
 * @param {ReturnType<typeof createHelpers>} helpers
 * @param {import('quickjs-emscripten').QuickJSHandle} value
 */
function readValue(helpers, value) {
  const text = helpers.callLate('encode', value);
  if (text === null)
    throw new Refusal(
      'code: the value cannot be serialized as JSON; it may contain a cycle. Return plain data.',
    );
  if (text.length > MAX_VALUE_CHARS)
    throw new Refusal('code: the value exceeds 1 MiB as JSON. Return a part or a summary of it.');
  return /** @type {{ value: unknown, type: string }} */ (JSON.parse(text));
}
