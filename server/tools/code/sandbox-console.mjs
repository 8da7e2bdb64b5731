/** Limits of the console output in the result; streaming is bounded by the size of a log. */
const MAX_LINES = 200;
const MAX_CHARS = 64 * 1024;
/** A log holds 1,000 lines; one more lets the receiver see that lines are missing. */
const MAX_STREAMED = 1_001;
/** Characters streamed while the code runs. Failed runs are free, so the rest waits for success. */
const MAX_LIVE_CHARS = 4 * 1024;
/**
 * If the run fails, this many of the waiting characters are streamed: those just before the error.
 */
const MAX_LAST_CHARS = 2 * 1024;
const LEVELS = /** @type {const} */ (['log', 'info', 'debug', 'warn', 'error']);

/** @typedef {{ level: typeof LEVELS[number], text: string }} Line */

/**
 * Adds `console` to the sandbox.
 * @param {import('quickjs-emscripten').QuickJSContext} context
 * @param {(value: import('quickjs-emscripten').QuickJSHandle) => string} show
 * @param {(line: string) => void} stream sends a line to the caller
 */
export function createConsole(context, show, stream) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {string[]} */
  const waiting = [];
  let chars = 0;
  let liveChars = 0;
  let streamed = 0;
  let truncated = false;
  const object = context.newObject();
  for (const level of LEVELS) {
    const write = context.newFunction(level, (...values) => {
      streamed += 1;
      if (streamed > MAX_STREAMED) return;
      const text = values.map(show).join(' ');
      const line = level === 'warn' || level === 'error' ? `${level}: ${text}` : text;
      liveChars += line.length;
      if (liveChars <= MAX_LIVE_CHARS) stream(line);
      else waiting.push(line);
      if (lines.length >= MAX_LINES || chars + text.length > MAX_CHARS) {
        truncated = true;
        return;
      }
      chars += text.length;
      lines.push({ level, text });
    });
    context.setProp(object, level, write);
  }
  context.setProp(context.global, 'console', object);
  return {
    /** After success: streams the waiting lines and returns the first lines for the result. */
    complete() {
      for (const line of waiting) stream(line);
      return { console: lines, console_truncated: truncated };
    },
    /** After a failure: streams the last waiting lines and the number of lines omitted. */
    fail() {
      let from = waiting.length;
      for (let left = MAX_LAST_CHARS; from > 0; from -= 1) {
        left -= /** @type {string} */ (waiting[from - 1]).length;
        if (left < 0) break;
      }
      if (from > 0) stream(`(${from} console lines omitted because the run failed.)`);
      for (const line of waiting.slice(from)) stream(line);
    },
  };
}
