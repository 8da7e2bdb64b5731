const FIRST = new Set(['time', 'level', 'message']);
/**
 * Control characters, which could move a terminal's cursor: a log line may quote untrusted text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the target
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Formats a log line for a terminal: the time of day, the level, the message, then the fields.
 * @param line one JSON object, as the logger writes it
 */
export function formatReadableLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { time, level, message } = entry;
  const fields = Object.entries(entry)
    .filter(([name]) => !FIRST.has(name))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const clock = String(time).slice(11, 19);
  const text = [clock, String(level).padEnd(5), String(message), ...fields].join(' ');
  return `${text.replace(CONTROL, ' ')}\n`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}
