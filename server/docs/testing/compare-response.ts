/** Values that change on each run: only their type is compared. */
const VARYING = new Set([
  'latency_ms',
  'progress',
  'elapsed_seconds',
  'estimatedSeconds',
  'credits_remaining',
  'slept_seconds',
]);

/**
 * Compares the documented response of an example with its output. Objects and lists may have more
 * than documented; `…` in a string matches anything.
 * @returns the differences with their paths; none if they match
 */
export function compareResponse(language: string, written: string, came: string): string[] {
  return language === 'json' ? compareJson(written, came) : compareLines(written, came);
}

function compareJson(written: string, came: string): string[] {
  const values = jsonValues(came);
  if (values.length === 0) return [`the output has no JSON: ${came.slice(0, 300)}`];
  const wanted: unknown = JSON.parse(written);
  const tried = values.map((value) => differences(wanted, value, ''));
  // A block may print several values; one of them must match.
  return tried.find((list) => list.length === 0) ?? tried.at(-1) ?? [];
}

/** Parses the whole output as JSON, or else each line that is JSON. */
function jsonValues(text: string): unknown[] {
  const whole = tryParse(text);
  if (whole !== undefined) return [whole];
  return text
    .split(/\n|(?<=\})(?=\{)/)
    .map(tryParse)
    .filter((value) => value !== undefined);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function differences(wanted: unknown, came: unknown, path: string): string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(came)) return [`${path || 'the response'} is not a list`];
    return wanted.flatMap((item, at) => differences(item, came[at], `${path}[${at}]`));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof came !== 'object' || came === null) return [`${path || 'the response'} is not an object`];
    return Object.entries(wanted).flatMap(([name, value]) => {
      const inner = (came as Record<string, unknown>)[name];
      if (VARYING.has(name) && typeof inner === typeof value) return [];
      return differences(value, inner, path === '' ? name : `${path}.${name}`);
    });
  }
  if (typeof wanted === 'string' && typeof came === 'string' && toPattern(wanted).test(came)) return [];
  return wanted === came
    ? []
    : [`${path}: ${JSON.stringify(wanted)} is documented, got ${JSON.stringify(came)}`];
}

/** Every documented line must appear, in this order. */
function compareLines(written: string, came: string): string[] {
  const lines = came.replaceAll('\r', '').split('\n');
  let at = 0;
  for (const line of written.split('\n').filter((text) => text.trim() !== '')) {
    const pattern = toPattern(line);
    const found = lines.findIndex((text, index) => index >= at && pattern.test(text.trimEnd()));
    if (found < 0) return [`no line “${line}” in:\n${came.slice(0, 800)}`];
    at = found + 1;
  }
  return [];
}

function toPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

const ERROR = /"error"\s*:\s*\{\s*"code"\s*:\s*"([A-Z_]+)"/g;

/**
 * Lists the codes of errors in an output that neither the documented response nor the example
 * itself names.
 */
export function findUnexpectedErrors(came: string, documented: string): string[] {
  // MCP repeats a result as text, where the quotes are escaped.
  const codes = [...came.replaceAll('\\"', '"').matchAll(ERROR)].map(([, code = '']) => code);
  return [...new Set(codes)].filter((code) => !documented.includes(code));
}
