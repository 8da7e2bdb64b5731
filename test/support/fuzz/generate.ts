import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Json, Operation, ServedDocument } from './document';
import { hostileHeaders, hostileJson, hostileQuery, hostileSegment, hostileText, writeJson } from './hostile';
import type { SentRequest } from './send';

/** Values that refer to existing objects, by field name or path parameter. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** A request and its sender; the credential is added when it is sent. */
export interface Generated extends SentRequest {
  caller: string;
}

/** Generates values that match a schema. @param name the field; its pool is used if any */
function generateValid(
  document: ServedDocument,
  pools: Pools,
  given: Json,
  name = '',
): fc.Arbitrary<unknown> {
  const pool = pools[name];
  if (pool) return fc.constantFrom(...pool);
  const schema = document.resolve(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const branches = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (branches) return fc.oneof(...branches.map((branch) => generateValid(document, pools, branch)));
  if (schema.type === 'object') return generateValidObject(document, pools, schema);
  if (schema.type === 'array') {
    const { minItems = 0, maxItems = 4 } = schema as { minItems?: number; maxItems?: number };
    const item = generateValid(document, pools, (schema.items ?? {}) as Json, `${name}[]`);
    return fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
  }
  return generateValidScalar(schema);
}

function generateValidScalar(schema: Json): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 1_000, minLength = 0, maxLength = 60 } = schema as Record<string, number>;
  if (schema.type === 'integer') return fc.integer({ min: minimum, max: maximum });
  // In cents: every bounded amount in the document may be a multiple of a cent.
  if (schema.type === 'number')
    return fc.integer({ min: Math.ceil(minimum * 100), max: maximum * 100 }).map((cents) => cents / 100);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'string')
    return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) });
  return fc.jsonValue({ maxDepth: 2 });
}

function generateValidObject(document: ServedDocument, pools: Pools, schema: Json): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  const fields = Object.fromEntries(
    Object.entries(properties).map(([field, of]) => [field, generateValid(document, pools, of, field)]),
  );
  return fc.record(fields, { requiredKeys: required });
}

/** Generates a body with one defect. */
export function generateDefective(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 1, arbitrary: hostileJson },
    {
      weight: 6,
      arbitrary: fc.tuple(good, fc.nat(), hostileJson).map(([value, at, bad]) => replaceAt(value, at, bad)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(good, hostileText, hostileJson)
        .map(([value, name, extra]) => addTo(value, name, extra)),
    },
    { weight: 1, arbitrary: fc.tuple(good, fc.nat()).map(([value, at]) => removeAt(value, at)) },
  );
}

/** Lists the path of every node in a value. */
function listPaths(value: unknown, path: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => listPaths(child, [...path, key]))];
}

function replaceAt(value: unknown, at: number, bad: unknown): unknown {
  const places = listPaths(value);
  const path = places[at % places.length] ?? [];
  const copy = { root: structuredClone(value) };
  findParent(copy, path)[path.at(-1) ?? 'root'] = bad;
  return copy.root;
}

function removeAt(value: unknown, at: number): unknown {
  const places = listPaths(value).slice(1);
  const path = places[at % Math.max(places.length, 1)];
  if (!path) return value;
  const copy = { root: structuredClone(value) };
  delete findParent(copy, path)[path.at(-1) as PropertyKey];
  return copy.root;
}

// biome-ignore lint/suspicious/noExplicitAny: the parent of the last path segment, of any shape
function findParent(copy: { root: unknown }, path: readonly PropertyKey[]): any {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let at: any = copy;
  for (const [index] of path.entries()) at = index === 0 ? at.root : at[path[index - 1] as PropertyKey];
  return at;
}

function addTo(value: unknown, name: string, extra: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.defineProperty({ ...value }, name, { value: extra, enumerable: true, configurable: true });
}

type Encoded = { bytes: Buffer | null; headers: [string, string][] };
const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];

/** Generates broken encodings of a valid JSON body. */
function generateBrokenBytes(text: string): fc.Arbitrary<Encoded> {
  const bytes = Buffer.from(text);
  const typed = (raw: Buffer | string, ...more: [string, string][]): Encoded => ({
    bytes: Buffer.from(raw as string),
    headers: [JSON_TYPE, ...more],
  });
  const as = (type: string): Encoded => ({ bytes, headers: [['Content-Type', type]] });
  return fc.constantFrom<Encoded>(
    { bytes: null, headers: [] },
    { bytes: null, headers: [JSON_TYPE] },
    { bytes, headers: [] },
    typed(bytes.subarray(0, Math.ceil(bytes.length / 2))),
    typed(`\ufeff${text}`),
    typed(Buffer.from(text, 'utf16le')),
    typed(Buffer.concat([bytes.subarray(0, 2), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(2)])),
    typed(gzipSync(bytes), ['Content-Encoding', 'gzip']),
    typed(text, ['Content-Encoding', 'gzip']),
    typed(text.replace('{', '{"__proto__":{"polluted":true},')),
    typed(text.replace('{', '{"name":1,"name":2,"amount":1,"amount":1e309,')),
    typed(`${text}${text}`),
    typed(`${text},`),
    typed('{"a":NaN}'),
    typed('{"a":'.repeat(20_000)),
    typed('['.repeat(100_000)),
    typed(`{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":0`).join(',')}}`),
    typed('9'.repeat(50_000)),
    typed(Buffer.alloc(1024 * 1024 + 1, 0x20)),
    typed('\u0000'),
    typed(text, ['Content-Type', 'text/plain']),
    ...['text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', ''].map(as),
    ...[
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'APPLICATION/JSON',
      'application/jsonx',
    ].map(as),
    ...['application/json;;;', 'application/problem+json', '*/*'].map(as),
  );
}

/** Generates forms with unusual names, types, fields, lengths and boundaries, some truncated. */
const form: fc.Arbitrary<Encoded> = fc
  .record({
    name: hostileText,
    content: fc.oneof(hostileText, fc.constant('hello')),
    type: fc.constantFrom('text/plain', 'image/png', '', 'x', 'text/html; charset=\u0000', '*/*'),
    field: fc.constantFrom('file', 'file', 'file', 'filename', 'content_type', '__proto__', ''),
    extra: hostileText,
    cut: fc.constantFrom(0, 0, 0, 1, 10, 60),
    boundary: fc.constantFrom('x', 'x', 'x', 'y', "a'b", ''),
  })
  .map(({ name, content, type, field, extra, cut, boundary }) => {
    const part = (disposition: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
    const file = `name="${field}"; filename="${name}"${type === '' ? '' : `\r\nContent-Type: ${type}`}`;
    const bytes = Buffer.from(`${part('name="filename"', extra)}${part(file, content)}--x--\r\n`);
    return {
      bytes: bytes.subarray(0, bytes.length - cut),
      headers: [['Content-Type', `multipart/form-data; boundary=${boundary}`]],
    };
  });

function generateBody(document: ServedDocument, pools: Pools, operation: Operation): fc.Arbitrary<Encoded> {
  const good = operation.body
    ? generateValid(document, pools, operation.body, operation.id)
    : fc.constant<unknown>({});
  const plain = (value: unknown): Encoded => {
    const text = value === undefined ? undefined : writeJson(value);
    return { bytes: text === undefined ? null : Buffer.from(text), headers: [JSON_TYPE] };
  };
  if (operation.upload)
    return fc.oneof({ weight: 4, arbitrary: form }, { weight: 1, arbitrary: generateBrokenBytes('{"a":1}') });
  if (operation.method === 'GET' || operation.method === 'DELETE')
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant<Encoded>({ bytes: null, headers: [] }) },
      { weight: 1, arbitrary: hostileJson.map(plain) },
    );
  return fc.oneof(
    { weight: 4, arbitrary: good.map(plain) },
    { weight: 8, arbitrary: generateDefective(good).map(plain) },
    { weight: 3, arbitrary: good.chain((value) => generateBrokenBytes(writeJson(value))) },
  );
}

function generateTarget(document: ServedDocument, pools: Pools, operation: Operation): fc.Arbitrary<string> {
  const segments = operation.template.split('/').map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const pool = pools[`${operation.id} ${part}`] ?? pools[part] ?? ['unknown'];
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...pool).map(String) },
      { weight: 1, arbitrary: hostileSegment },
    );
  });
  const fields = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, generateValid(document, pools, schema, name)] as const);
  const query = fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((values) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(String(value)).toString())}`)
      .join('&'),
  );
  const asked = fc.oneof({ weight: 2, arbitrary: query }, { weight: 1, arbitrary: hostileQuery });
  return fc
    .tuple(fc.tuple(...segments), asked)
    .map(([path, text]) => path.join('/') + (text === '' ? '' : `?${text.replaceAll(/[\s#]/g, '%20')}`));
}

/** Generates requests to an operation: valid ones, and ones with a defect in any part. */
export function generateRequests(
  document: ServedDocument,
  operation: Operation,
  { pools, askers }: { pools: Pools; askers: readonly string[] },
): fc.Arbitrary<Generated> {
  const method = fc.oneof(
    { weight: 30, arbitrary: fc.constant(operation.method) },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH') },
  );
  const headers = fc.oneof(
    { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 1, arbitrary: hostileHeaders },
  );
  return fc
    .record({
      caller: fc.constantFrom(...askers),
      method,
      target: generateTarget(document, pools, operation),
      body: generateBody(document, pools, operation),
      headers,
    })
    .map(({ caller, method: asked, target, body, headers: more }) => ({
      caller,
      method: asked,
      target,
      headers: [...body.headers, ...more],
      body: body.bytes,
    }));
}
