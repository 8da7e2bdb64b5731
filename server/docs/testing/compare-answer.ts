/** Values that are other each time: there only the type is compared. */
const MOVING = new Set([
  'latency_ms',
  'progress',
  'elapsed_seconds',
  'estimatedSeconds',
  'credits_remaining',
  'slept_seconds',
]);

/**
 * Whether what is written below an example is what came out of it. Objects may hold more than is written and lists more
 * than is shown; `…` in a text stands for anything.
 * @returns the differences, each with its place; none where it fits
 */
export function compareAnswer(language: string, written: string, came: string): string[] {
  return language === 'json' ? compareJson(written, came) : compareLines(written, came);
}

function compareJson(written: string, came: string): string[] {
  const values = jsonValues(came);
  if (values.length === 0) return [`no JSON came out: ${came.slice(0, 300)}`];
  const wanted: unknown = JSON.parse(written);
  const tried = values.map((value) => differences(wanted, value, ''));
  // A block may print more than one value: one of them is the answer that is shown.
  return tried.find((list) => list.length === 0) ?? tried.at(-1) ?? [];
}

/** The whole output as JSON, or else each line of it that is. */
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
    if (!Array.isArray(came)) return [`${path || 'the answer'} is no list`];
    return wanted.flatMap((item, at) => differences(item, came[at], `${path}[${at}]`));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof came !== 'object' || came === null) return [`${path || 'the answer'} is no object`];
    return Object.entries(wanted).flatMap(([name, value]) => {
      const inner = (came as Record<string, unknown>)[name];
      if (MOVING.has(name) && typeof inner === typeof value) return [];
      return differences(value, inner, path === '' ? name : `${path}.${name}`);
    });
  }
  if (typeof wanted === 'string' && typeof came === 'string' && glob(wanted).test(came)) return [];
  return wanted === came
    ? []
    : [`${path}: ${JSON.stringify(wanted)} is written, ${JSON.stringify(came)} came`];
}

/** Every written line comes, in this order. */
function compareLines(written: string, came: string): string[] {
  const lines = came.replaceAll('\r', '').split('\n');
  let at = 0;
  for (const line of written.split('\n').filter((text) => text.trim() !== '')) {
    const pattern = glob(line);
    const found = lines.findIndex((text, index) => index >= at && pattern.test(text.trimEnd()));
    if (found < 0) return [`no line “${line}” in:\n${came.slice(0, 800)}`];
    at = found + 1;
  }
  return [];
}

function glob(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
