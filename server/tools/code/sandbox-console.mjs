/** Of what is said, so much is in the result; everything within the bounds of a log is streamed. */
const MAX_LINES = 200;
const MAX_CHARS = 64 * 1024;
/** Nobody hears more than a log holds. */
const MAX_STREAMED = 1_001;
/**
 * Characters that are streamed while the code runs. A run that fails is free, so the others wait
 * for its end.
 */
const MAX_LIVE_CHARS = 4 * 1024;
/**
 * Of what waits, the last characters are streamed where the run fails: what was written shortly
 * before the error.
 */
const MAX_LAST_CHARS = 2 * 1024;
const LEVELS = /** @type {const} */ (['log', 'info', 'debug', 'warn', 'error']);

/** @typedef {{ level: typeof LEVELS[number], text: string }} Line */

/**
 * Gives the sandbox a `console`.
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
    /**
     * The run succeeded: streams the lines that waited, and returns the first ones for the result.
     */
    complete() {
      for (const line of waiting) stream(line);
      return { console: lines, console_truncated: truncated };
    },
    /** The run failed: streams the last lines, and how many are left out. */
    fail() {
      let from = waiting.length;
      for (let left = MAX_LAST_CHARS; from > 0; from -= 1) {
        left -= /** @type {string} */ (waiting[from - 1]).length;
        if (left < 0) break;
      }
      if (from > 0) stream(`(${from} lines of the console are left out, because the run failed.)`);
      for (const line of waiting.slice(from)) stream(line);
    },
  };
}
