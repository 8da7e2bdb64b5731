// Reads compose.yaml: as much of YAML as it uses. What it cannot read is an error, so that nothing is passed over.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../../compose.yaml', import.meta.url));

/**
 * @typedef {{ image?: string, build?: string, command?: string[], environment?: Record<string, string>, env_file?: string,
 *   volumes?: string[], ports?: string[], healthcheck?: { test: string[] },
 *   depends_on?: Record<string, { condition: string }>, [more: string]: unknown }} Service
 * @typedef {{ name: string, services: Record<string, Service>, volumes: Record<string, unknown> }} Compose
 */

/** @param {string} [text] @returns {Compose} */
export function readCompose(text = readFileSync(FILE, 'utf8')) {
  const lines = text
    .split('\n')
    .map((line, index) => ({ line: line.replace(/(^|\s)#.*$/, '').trimEnd(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({
      indent: line.length - line.trimStart().length,
      text: line.trim(),
      number,
    }));
  /** @type {Map<string, Record<string, unknown>>} */
  const anchors = new Map();
  const { value, next } = readMap(lines, 0, 0, anchors);
  if (next !== lines.length) throw new Error(`Line ${lines[next]?.number} of the file cannot be read`);
  return /** @type {any} */ (value);
}

/**
 * @param {{ indent: number, text: string, number: number }[]} lines
 * @param {number} from
 * @param {number} indent
 * @param {Map<string, Record<string, unknown>>} anchors
 * @returns {{ value: Record<string, unknown>, next: number }}
 */
function readMap(lines, from, indent, anchors) {
  /** @type {Record<string, unknown>} */
  const value = {};
  let at = from;
  for (let line = lines[at]; line && line.indent === indent; line = lines[at]) {
    const [, key = '', rest = ''] = /^([\w.<-]+):(?:\s+(.*))?$/.exec(line.text) ?? [];
    if (key === '') throw new Error(`Line ${line.number} cannot be read: ${line.text}`);
    at++;
    const [, merged] = /^\*([\w-]+)$/.exec(rest) ?? [];
    const [, anchor] = /^&([\w-]+)$/.exec(rest) ?? [];
    if (merged !== undefined) {
      const whole = anchors.get(merged);
      if (!whole) throw new Error(`Line ${line.number}: there is no &${merged}`);
      if (key === '<<') Object.assign(value, { ...whole, ...value });
      else value[key] = whole;
      continue;
    }
    const deeper = lines[at];
    if (rest !== '' && anchor === undefined) value[key] = readScalar(rest);
    else if (deeper && deeper.indent > indent) {
      const inner = readMap(lines, at, deeper.indent, anchors);
      value[key] = inner.value;
      at = inner.next;
      if (anchor !== undefined) anchors.set(anchor, inner.value);
    } else value[key] = null;
  }
  return { value, next: at };
}

/** @param {string} text @returns {unknown} */
function readScalar(text) {
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) throw new Error(`A list over several lines cannot be read: ${text}`);
    const items = text.slice(1, -1).match(/"[^"]*"|[^,]+/g) ?? [];
    return items.map((item) => readScalar(item.trim())).filter((item) => item !== '');
  }
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}

/**
 * `${NAME}`, `${NAME:-default}` and `${NAME:?why}`, as compose fills them in.
 * @param {string} text
 * @param {Record<string, string>} env
 */
export function interpolate(text, env) {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    if (env[name]) return env[name];
    if (kind === '?') throw new Error(`${name} is missing: ${rest}`);
    return rest ?? '';
  });
}
