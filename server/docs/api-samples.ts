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

/** The environment variables for the ids in a path: `{jobId}` is read from JOB_ID. */
function getPathVariables(path: string): { variable: string; part: string }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([part, name = '']) => {
    const own = path.startsWith('/v1/webhooks/') ? 'WEBHOOK_ID' : 'KEY_ID';
    const variable = name === 'id' ? own : name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
    return { variable, part };
  });
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
  { method, path, query }: SampleRequest,
  wrap: (variable: string) => string,
): string {
  // The sample files belong to everyone: only an own file can be deleted.
  const isShared = (part: string) => !(method === 'DELETE' && part === '{assetId}');
  const filled = getPathVariables(path).reduce(
    (found, { part, variable }) =>
      found.replace(part, () => (isShared(part) && SHARED_VALUES[part]) || wrap(variable)),
    path,
  );
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
  if (getBodyKind(request) === 'bytes') lines.push('-o photo.jpg');
  return lines.join(' \\\n  ');
}

/** How a response is read, by the kind of its body. */
const READS = {
  json: { typescript: 'console.log(await response.json());', python: 'print(json.load(response))' },
  events: { typescript: 'console.log(await response.text());', python: 'print(response.read().decode())' },
  bytes: {
    typescript: 'console.log((await response.arrayBuffer()).byteLength);',
    python: 'print(len(response.read()))',
  },
};

function getBodyKind({ method, path }: SampleRequest): keyof typeof READS {
  if (path.endsWith('/events')) return 'events';
  return method === 'GET' && path.endsWith('/{assetId}') ? 'bytes' : 'json';
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
  const read = READS[getBodyKind(request)].typescript;
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
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    ...lines,
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    ${READS[getBodyKind(request)].python}`,
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
