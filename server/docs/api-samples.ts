import type { GuideSample } from './schema';

export interface SampleRequest {
  method: string;
  /** `/v1/jobs/{jobId}`. */
  path: string;
  /** The query string with its question mark. */
  query: string;
  needsKey: boolean;
  /** The JSON body; undefined for none. */
  body: unknown;
  /** Sends a file instead of JSON. */
  upload: boolean;
}

/** The environment variable for an id in a path: `{jobId}` is read from JOB_ID. */
export function getPathVariable(path: string): { variable: string; part: string } | null {
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (name === undefined) return null;
  const variableName = name === 'id' ? 'KEY_ID' : name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
  return { variable: variableName, part: `{${name}}` };
}

/** Path parameters with the same value for everyone, so they need no variable. */
const SHARED_VALUES: Record<string, string> = {
  '{tool}': 'math',
  '{name}': 'openai',
  '{assetId}': 'asset_sample_photo',
};

/**
 * The request in each language. Each sample runs unchanged, with the key and the ids in the
 * environment.
 */
export function apiSamples(baseUrl: string, request: SampleRequest): GuideSample[] {
  const samples = [
    { language: 'sh', label: 'curl', code: curl(baseUrl, request) },
    { language: 'ts', label: 'TypeScript', code: typescript(baseUrl, request) },
  ];
  // The standard library cannot write multipart bodies.
  return request.upload
    ? samples
    : [...samples, { language: 'python', label: 'Python', code: python(baseUrl, request) }];
}

function buildUrl(
  baseUrl: string,
  { path, query }: SampleRequest,
  wrap: (variable: string) => string,
): string {
  const id = getPathVariable(path);
  const filled = id ? path.replace(id.part, SHARED_VALUES[id.part] ?? wrap(id.variable)) : path;
  return baseUrl + filled + query;
}

function curl(baseUrl: string, request: SampleRequest): string {
  const { method, needsKey, body, upload } = request;
  const posts = body !== undefined || upload;
  const verb = method === (posts ? 'POST' : 'GET') ? '' : `-X ${method} `;
  const lines = [`curl -s ${verb}"${buildUrl(baseUrl, request, (name) => `$${name}`)}"`];
  if (needsKey) lines.push('-H "Authorization: Bearer $TOOL_GATEWAY_KEY"');
  if (upload) lines.push('-F file=@notes.txt');
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  // Do not print binary data to a terminal.
  if (request.path.endsWith('/{assetId}')) lines.push('-o photo.jpg');
  return lines.join(' \\\n  ');
}

function typescript(baseUrl: string, request: SampleRequest): string {
  const { method, needsKey, body, upload } = request;
  const address = buildUrl(baseUrl, request, (name) => `\${process.env.${name}}`);
  const quoted = address.includes('${') ? `\`${address}\`` : `'${address}'`;
  const headers = [
    ...(needsKey ? [`    Authorization: \`Bearer \${process.env.TOOL_GATEWAY_KEY}\`,`] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)}),`]),
    ...(upload ? ['  body: form,'] : []),
  ];
  const form = ['const form = new FormData();', "form.set('file', new Blob(['hello']), 'notes.txt');"];
  const call =
    options.length > 0
      ? [`const response = await fetch(${quoted}, {`, ...options, '});']
      : [`const response = await fetch(${quoted});`];
  const read = request.path.endsWith('/{assetId}')
    ? 'console.log((await response.arrayBuffer()).byteLength);'
    : 'console.log(await response.json());';
  return [...(upload ? form : []), ...call, read].join('\n');
}

function python(baseUrl: string, request: SampleRequest): string {
  const { method, needsKey, body } = request;
  const address = buildUrl(baseUrl, request, (name) => `{os.environ['${name}']}`);
  const lines = [`    ${address.includes('{') ? 'f' : ''}"${address}",`];
  if (body !== undefined) lines.push(`    data=json.dumps(${indent(toPythonLiteral(body), 4)}).encode(),`);
  const headers = [
    ...(needsKey ? [`        "Authorization": f"Bearer {os.environ['TOOL_GATEWAY_KEY']}",`] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
  ];
  if (headers.length > 0) lines.push('    headers={', ...headers, '    },');
  if (method !== (body === undefined ? 'GET' : 'POST')) lines.push(`    method="${method}",`);
  const bytes = request.path.endsWith('/{assetId}');
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    ...lines,
    ')',
    'with urllib.request.urlopen(request) as response:',
    bytes ? '    print(len(response.read()))' : '    print(json.load(response))',
  ].join('\n');
}

/**
 * JSON with Python literals for true, false and null. No example string contains them where the
 * patterns match.
 */
function toPythonLiteral(body: unknown): string {
  return JSON.stringify(body, null, 4)
    .replace(/(?<=[:[,]\s*)true(?=[,\n\]}])/g, 'True')
    .replace(/(?<=[:[,]\s*)false(?=[,\n\]}])/g, 'False')
    .replace(/(?<=[:[,]\s*)null(?=[,\n\]}])/g, 'None');
}

function indent(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
