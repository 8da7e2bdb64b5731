import { apiSamples } from './api-samples';
import { readDocument } from './read-guides';
import type {
  ApiErrors,
  ApiGroup,
  ApiLink,
  ApiOperation,
  ApiParameter,
  ApiReference,
  ApiResponse,
  ApiSchema,
} from './schema';

type Json = Record<string, unknown>;

let cached: { baseUrl: string; reference: Promise<ApiReference> } | undefined;

/**
 * Returns the OpenAPI document as groups of routes and named schemas. Read from the committed file,
 * which `npm run check` compares with the served document: a slice may not import the root router.
 */
export function describeApi(baseUrl: string): Promise<ApiReference> {
  if (cached?.baseUrl === baseUrl && process.env.NODE_ENV !== 'development') return cached.reference;
  const reference = readDocument('openapi.json', baseUrl).then((text) => toReference(text, baseUrl));
  cached = { baseUrl, reference };
  reference.catch(() => {
    cached = undefined;
  });
  return reference;
}

function toReference(text: string, baseUrl: string): ApiReference {
  // Cannot throw: the committed OpenAPI document is valid JSON
  const document = object(JSON.parse(text));
  const info = object(document.info);
  const groups = list(document.tags).map((raw): ApiGroup => {
    const { name, description } = object(raw);
    const tag = String(name);
    const slug = tag.toLowerCase();
    const all = listOperations(document, baseUrl, tag);
    const shared = all.length > 1 ? findSharedCodes(all) : new Set<string>();
    const operations = all.map((operation) => ({
      ...operation,
      errors: keepCodes(operation.errors, (code) => !shared.has(code)),
    }));
    return {
      name: tag,
      slug,
      href: `/docs/api/${slug}`,
      description: String(description),
      operations,
      errors: keepCodes(all[0]?.errors ?? [], (code) => shared.has(code)),
    };
  });
  return {
    title: String(info.title),
    version: String(info.version),
    groups,
    schemas: listSchemas(object(object(document.components).schemas), groups),
  };
}

function findSharedCodes(operations: readonly ApiOperation[]): Set<string> {
  const [first = [], ...others] = operations.map(({ errors }) => errors.flatMap(({ codes }) => codes));
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))));
}

function keepCodes(errors: readonly ApiErrors[], isKept: (code: string) => boolean): ApiErrors[] {
  return errors
    .map(({ status, codes }) => ({ status, codes: codes.filter(isKept) }))
    .filter(({ codes }) => codes.length > 0);
}

function listOperations(document: Json, baseUrl: string, tag: string): ApiOperation[] {
  return Object.entries(object(document.paths)).flatMap(([path, methods]) =>
    Object.entries(object(methods))
      .map(([method, raw]) => ({ path, tag, method: method.toUpperCase(), source: object(raw) }))
      .filter(({ source }) => list(source.tags)[0] === tag)
      .map((source) => toOperation(document, baseUrl, source)),
  );
}

interface Source {
  tag: string;
  path: string;
  method: string;
  source: Json;
}

function toOperation(document: Json, baseUrl: string, { tag, path, method, source }: Source): ApiOperation {
  const parameters = list(source.parameters).map((raw) => toParameter(resolve(document, raw)));
  const content = object(object(source.requestBody).content);
  const json = object(content['application/json']);
  const needsKey = list(source.security).length > 0;
  const body = firstExample(json);
  const id = String(source.operationId);
  const responses = Object.entries(object(source.responses)).map(([status, raw]) => ({
    errors: toErrors(status, object(raw)),
    response: toResponse(status, object(raw)),
  }));
  return {
    id,
    href: `/docs/api/${tag.toLowerCase()}#${id}`,
    method,
    path,
    summary: String(source.summary ?? ''),
    description: String(source.description ?? ''),
    needsKey,
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    parameters: parameters.filter(({ name }) => !name.startsWith('X-Provider-Key-')),
    body: toBody(document, json, source),
    responses: responses.filter(({ errors }) => !errors).map(({ response }) => response),
    errors: responses.flatMap(({ errors }) => errors ?? []),
    samples: apiSamples(baseUrl, {
      path,
      method,
      query: buildQuery(list(source.parameters)),
      needsKey,
      body,
      upload: 'multipart/form-data' in content,
    }),
    example: successExample(object(source.responses)),
  };
}

function toBody(document: Json, json: Json, source: Json): ApiOperation['body'] {
  const reference = object(json.schema).$ref;
  if (typeof reference !== 'string') return null;
  const schema = withNames(resolve(document, json.schema));
  return { name: getSchemaName(reference), schema, required: object(source.requestBody).required !== false };
}

function toParameter(raw: Json): ApiParameter {
  const schema = object(raw.schema);
  const values = list(schema.enum).map(String);
  return {
    name: String(raw.name),
    place: raw.in === 'path' || raw.in === 'header' ? raw.in : 'query',
    required: raw.required === true,
    type: values.length > 0 ? values.join(' · ') : String(schema.type ?? 'string'),
    description: String(raw.description ?? schema.description ?? ''),
  };
}

/** Example values for required query parameters; optional ones are left out. */
function buildQuery(parameters: readonly unknown[]): string {
  const required = parameters.map(object).filter((raw) => raw.in === 'query' && raw.required === true);
  return required.length > 0 ? `?${required.map(({ name }) => `${name}=convert+units`).join('&')}` : '';
}

function getJson(raw: Json): Json {
  const content = object(raw.content);
  return object(content['application/json'] ?? content['application/problem+json']);
}

/** The codes of an error response; null for a success. */
function toErrors(status: string, raw: Json): ApiErrors | null {
  const { schema, examples } = getJson(raw);
  const codes = Object.keys(object(examples));
  return object(schema).$ref === '#/components/schemas/Error' && codes.length > 0 ? { status, codes } : null;
}

function toResponse(status: string, raw: Json): ApiResponse {
  const content = object(raw.content);
  const reference = object(getJson(raw).schema).$ref;
  return {
    status,
    description: String(raw.description ?? ''),
    schema: typeof reference === 'string' ? getSchemaName(reference) : null,
    types: Object.keys(content).filter((type) => type !== 'application/json'),
  };
}

function successExample(responses: Json): string | null {
  for (const status of ['200', '201']) {
    const content = object(object(responses[status]).content);
    const example = firstExample(object(content['application/json']));
    if (example !== undefined) return JSON.stringify(example, null, 2);
  }
  return null;
}

function firstExample(media: Json): unknown {
  const [first] = Object.values(object(media.examples));
  return first === undefined ? undefined : object(first).value;
}

function listSchemas(sources: Json, groups: readonly ApiGroup[]): ApiSchema[] {
  const uses = new Map(Object.entries(sources).map(([name, source]) => [name, findReferences(source)]));
  const users = (name: string): ApiLink[] => [
    ...groups
      .flatMap(({ operations }) => operations)
      .filter(({ body, responses }) => body?.name === name || responses.some(({ schema }) => schema === name))
      .map(({ summary, href }) => ({ title: summary, href })),
    ...[...uses].filter(([user, used]) => user !== name && used.includes(name)).map(([user]) => toLink(user)),
  ];
  return Object.entries(sources).map(([name, source]) => ({
    name,
    href: toLink(name).href,
    description: String(object(source).description ?? ''),
    schema: withNames(source),
    uses: (uses.get(name) ?? []).map(toLink),
    usedBy: users(name),
  }));
}

function toLink(schema: string): ApiLink {
  return { title: schema, href: `/docs/api/schemas/${schema}` };
}

function findReferences(source: unknown): string[] {
  const found = JSON.stringify(source).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  return [...new Set([...found].map(([, name]) => name ?? ''))];
}

/** Replaces references to other schemas by their names: each has its own page. */
function withNames(value: unknown): Json {
  const text = JSON.stringify(value, (_, inner: unknown) => {
    const reference = object(inner).$ref;
    return typeof reference === 'string'
      ? { ...object(inner), $ref: undefined, type: getSchemaName(reference) }
      : inner;
  });
  // Cannot throw: the input comes from JSON.stringify
  return object(JSON.parse(text));
}

function resolve(document: Json, raw: unknown): Json {
  const source = object(raw);
  if (typeof source.$ref !== 'string') return source;
  let at: unknown = document;
  for (const part of source.$ref.split('/').slice(1)) at = object(at)[part];
  return object(at);
}

function getSchemaName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
