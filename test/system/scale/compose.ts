// Parses the subset of YAML that compose.yaml uses. Anything else is an error.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const FILE = fileURLToPath(new URL('../../../compose.yaml', import.meta.url));

const serviceSchema = z.looseObject({
  image: z.string().optional(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.string().optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).optional(),
});

const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
});

type Service = z.infer<typeof serviceSchema>;

interface Line {
  indent: number;
  text: string;
  number: number;
}

type YamlMap = Record<string, unknown>;

/** Parses the compose.yaml of the repository, or the given text. */
export function readCompose(text = readFileSync(FILE, 'utf8')): z.infer<typeof composeSchema> {
  const lines = text
    .split('\n')
    .map((line, index) => ({ line: line.replace(/(^|\s)#.*$/, '').trimEnd(), number: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({
      indent: line.length - line.trimStart().length,
      text: line.trim(),
      number,
    }));
  const { value, next } = readMap(lines, 0, 0, new Map());
  if (next !== lines.length) throw new Error(`Line ${lines[next]?.number} of the file cannot be read`);
  return composeSchema.parse(value);
}

/** Lists the services that run the gateway, by name. */
export function listGatewayServices(): [string, Service][] {
  return Object.entries(readCompose().services).filter(([, { image }]) => image === 'tool-gateway');
}

function readMap(
  lines: Line[],
  from: number,
  indent: number,
  anchors: Map<string, YamlMap>,
): { value: YamlMap; next: number } {
  const value: YamlMap = {};
  let at = from;
  for (let line = lines[at]; line && line.indent === indent; line = lines[at]) {
    const [, key = '', rest = ''] = /^([\w.<-]+):(?:\s+(.*))?$/.exec(line.text) ?? [];
    if (key === '') throw new Error(`Line ${line.number} cannot be read: ${line.text}`);
    at++;
    const [, alias] = /^\*([\w-]+)$/.exec(rest) ?? [];
    const [, anchor] = /^&([\w-]+)$/.exec(rest) ?? [];
    if (alias !== undefined) {
      const map = anchors.get(alias);
      if (!map) throw new Error(`Line ${line.number}: there is no &${alias}`);
      if (key === '<<') Object.assign(value, { ...map, ...value });
      else value[key] = map;
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

function readScalar(text: string): unknown {
  if (text.startsWith('[')) {
    if (!text.endsWith(']')) throw new Error(`A list over several lines cannot be read: ${text}`);
    const items = text.slice(1, -1).match(/"[^"]*"|[^,]+/g) ?? [];
    return items.map((item) => readScalar(item.trim())).filter((item) => item !== '');
  }
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?why}` like compose. */
export function interpolate(text: string, env: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    if (env[name]) return env[name];
    if (kind === '?') throw new Error(`${name} is missing: ${rest}`);
    return rest ?? '';
  });
}
