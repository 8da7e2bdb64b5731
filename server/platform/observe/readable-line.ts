const FIRST = new Set(['time', 'level', 'message']);
/** Anything that moves a terminal's cursor or colours it: a log line may quote strangers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * A line of the log for a person at a terminal: the time of day, the level, the message, then the fields.
 * @param line one JSON object, as the log writes it
 */
export function readableLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { time, level, message } = entry;
  const fields = Object.entries(entry)
    .filter(([name]) => !FIRST.has(name))
    .map(([name, value]) => `${name}=${valueText(value)}`);
  const clock = String(time).slice(11, 19);
  const text = [clock, String(level).padEnd(5), String(message), ...fields].join(' ');
  return `${text.replace(CONTROL, ' ')}\n`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}
