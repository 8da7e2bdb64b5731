import type { CodeSample } from '../ui/code-block';

/** The environment variable from which samples read the key. */
export const KEY_VARIABLE = 'TOOL_GATEWAY_KEY';

type JsonObject = Record<string, unknown>;

export interface SampleCall {
  tool: string;
  skill: string;
  input: JsonObject;
  /** The account to charge, if it is not the key's own. */
  billing?: string;
}

/** Quotes any text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function buildBody({ tool, skill, input, billing }: SampleCall): JsonObject {
  return billing === undefined ? { tool, skill, input } : { tool, skill, input, billing };
}

/** Longer bodies go through standard input: Linux limits one argument to 128 KiB. */
const MAX_WORD_CHARS = 30_000;

/** The call as a curl command. */
export function curlCall(baseUrl: string, call: SampleCall): string {
  const body = JSON.stringify(buildBody(call));
  const lines = [
    `curl ${baseUrl}/v1/tools/call \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    `  -H "Content-Type: application/json" \\`,
  ];
  // Serialized JSON has no line breaks, so it cannot contain the heredoc delimiter as a line.
  const data =
    body.length > MAX_WORD_CHARS
      ? ["  --data-binary @- <<'JSON'", body, 'JSON']
      : [`  -d ${shellQuote(body)}`];
  return [...lines, ...data].join('\n');
}

export function curlProvision(baseUrl: string): string {
  return `curl -X POST ${baseUrl}/v1/auth/provision`;
}

/**
 * The call in curl, TypeScript and Python. Each sample runs as is, with the key in the environment.
 */
export function callSamples(baseUrl: string, call: SampleCall): CodeSample[] {
  return [
    { language: 'curl', code: curlCall(baseUrl, call) },
    { language: 'TypeScript', code: typescriptCall(baseUrl, call) },
    { language: 'Python', code: pythonCall(baseUrl, call) },
  ];
}

function typescriptCall(baseUrl: string, call: SampleCall): string {
  const json = JSON.stringify(buildBody(call), null, 2);
  // A plain `__proto__` in an object literal would set the prototype instead of a field.
  const body = indent(json.replace(/^( *)"__proto__":/gm, '$1["__proto__"]:'), 2);
  return `const response = await fetch('${baseUrl}/v1/tools/call', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body}),
});
const result = await response.json();
if (!response.ok) throw new Error(\`\${result.error.code}: \${result.error.message}\`);
console.log(JSON.stringify(result, null, 2));
`;
}

function pythonCall(baseUrl: string, call: SampleCall): string {
  const body = pythonLiteral(buildBody(call), 0);
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${baseUrl}/v1/tools/call",
    data=json.dumps(${indent(body, 4)}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    result = json.load(response)
print(json.dumps(result, indent=2))
`;
}

/** Indents every line but the first. */
function indent(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}

/**
 * A JSON value as a Python literal. JSON strings are valid Python strings, except for escaped
 * surrogate pairs.
 */
export function pythonLiteral(value: unknown, depth: number): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  const [open, lines, close] = Array.isArray(value)
    ? ['[', value.map((item) => pythonLiteral(item, depth + 1)), ']']
    : typeof value === 'object'
      ? [
          '{',
          Object.entries(value).map(
            ([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, depth + 1)}`,
          ),
          '}',
        ]
      : [JSON.stringify(value), null, ''];
  if (lines === null) return open;
  if (lines.length === 0) return open + close;
  const flat = `${open}${lines.join(', ')}${close}`;
  if (Array.isArray(value) && flat.length <= 72 && !flat.includes('\n')) return flat;
  const pad = ' '.repeat(4 * (depth + 1));
  return `${open}\n${lines.map((line) => `${pad}${line},\n`).join('')}${' '.repeat(4 * depth)}${close}`;
}
