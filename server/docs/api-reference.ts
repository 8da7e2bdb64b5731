import { apiSamples } from './api-samples';
import { readDocument } from './read-guides';
import type { ApiGroup, ApiOperation, ApiParameter, ApiReference, ApiResponse, ApiSchema } from './schema';

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
  const operations = listOperations(document, baseUrl);
  const groups = list(document.tags).map((tag): ApiGroup => {
    const { name, description } = object(tag);
    return {
      name: String(name),
      description: String(description),
      operations: operations.filter(({ tag: own }) => own === name).map(({ operation }) => operation),
    };
  });
  const schemas = Object.entries(object(object(document.components).schemas)).map(toSchema);
  return { title: String(info.title), version: String(info.version), groups, schemas };
}

function listOperations(document: Json, baseUrl: string): { tag: unknown; operation: ApiOperation }[] {
  return Object.entries(object(document.paths)).flatMap(([path, methods]) =>
    Object.entries(object(methods)).map(([method, raw]) => {
      const source = object(raw);
      return {
        tag: list(source.tags)[0],
        operation: toOperation(document, baseUrl, { path, method: method.toUpperCase(), source }),
      };
    }),
  );
}

interface Source {
  path: string;
  method: string;
  source: Json;
}

function toOperation(document: Json, baseUrl: string, { path, method, source }: Source): ApiOperation {
  const parameters = list(source.parameters).map((raw) => toParameter(resolve(document, raw)));
  const content = object(object(source.requestBody).content);
  const json = object(content['application/json']);
  const needsKey = list(source.security).length > 0;
  const body = firstExample(json);
  return {
    id: String(source.operationId),
    method,
    path,
    summary: String(source.summary ?? ''),
    description: String(source.description ?? ''),
    needsKey,
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    parameters: parameters.filter(({ name }) => !name.startsWith('X-Provider-Key-')),
    body: toBody(document, json, source),
    responses: Object.entries(object(source.responses)).map(([status, raw]) =>
      toResponse(status, object(raw)),
    ),
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

function toResponse(status: string, raw: Json): ApiResponse {
  const content = object(raw.content);
  const json = object(content['application/json'] ?? content['application/problem+json']);
  const reference = object(json.schema).$ref;
  const isError = reference === '#/components/schemas/Error';
  return {
    status,
    description: String(raw.description ?? ''),
    codes: isError ? Object.keys(object(json.examples)) : [],
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

function toSchema([name, raw]: [string, unknown]): ApiSchema {
  const source = object(raw);
  return {
    name,
    description: String(source.description ?? ''),
    schema: withNames(source),
    uses: [
      ...new Set(
        [...JSON.stringify(source).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
          ([, used]) => used ?? '',
        ),
      ),
    ],
  };
}

/** Replaces references to other schemas by their names: each has its own chapter. */
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
