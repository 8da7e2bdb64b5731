/** Of what is said, so much is in the result; everything within the bounds of a log is streamed. */
const MAX_LINES = 200;
const MAX_CHARS = 64 * 1024;
/** Nobody hears more than a log holds. */
const MAX_STREAMED = 1_001;
const LEVELS = /** @type {const} */ (['log', 'info', 'debug', 'warn', 'error']);

/** @typedef {{ level: typeof LEVELS[number], text: string }} Line */

/**
 * Gives the sandbox a `console`.
 * @param {import('quickjs-emscripten').QuickJSContext} context
 * @param {(value: import('quickjs-emscripten').QuickJSHandle) => string} show
 * @param {(line: string) => void} stream told each line while the code runs
 * @returns {() => { console: Line[], console_truncated: boolean }} what was said
 */
export function createConsole(context, show, stream) {
  /** @type {Line[]} */
  const lines = [];
  let chars = 0;
  let streamed = 0;
  let truncated = false;
  const object = context.newObject();
  for (const level of LEVELS) {
    const write = context.newFunction(level, (...values) => {
      streamed += 1;
      if (streamed > MAX_STREAMED) return;
      const text = values.map(show).join(' ');
      stream(level === 'warn' || level === 'error' ? `${level}: ${text}` : text);
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
  return () => ({ console: lines, console_truncated: truncated });
}
