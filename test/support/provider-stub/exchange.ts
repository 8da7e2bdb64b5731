import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';

/** A request to a fake provider; its key has been checked. */
export interface StubRequest {
  readonly method: string;
  /** Path below the provider's base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The behaviour selected by the key or the input; `ok` for success. */
  readonly behaviour: string;
  /** Number of earlier requests with this key and behaviour. */
  readonly seen: number;
  /** Where the stub serves public files, like the file hosts of providers. */
  readonly filesUrl: string;
}

export interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent verbatim, anything else as JSON. */
  readonly body: unknown;
}

export interface ProviderFake {
  /** Reads the key from the provider's header; undefined if missing. */
  readKey(headers: IncomingHttpHeaders): string | undefined;
  answer(request: StubRequest): StubAnswer;
  /** Builds an error in the provider's format. */
  error(status: number, message: string): unknown;
}

export const readBearer = ({ authorization }: IncomingHttpHeaders) =>
  /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
export const createHeaderReader = (name: string) => (headers: IncomingHttpHeaders) => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Thrown by a fake provider when a request violates the provider's documentation. */
export class BadRequest extends Error {}

/** Parses the JSON of a request and checks schema and Content-Type. */
export function parseJson<Body>(request: StubRequest, schema: z.ZodType<Body>): Body {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new BadRequest('Content-Type must be application/json');
  const parsed = schema.safeParse(JSON.parse(request.body.toString()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BadRequest(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** Generates a value for a simple JSON Schema, like a model that extracts data. */
export function generateSample(schema: unknown): unknown {
  const { type, properties, items, enum: allowed, minimum, format } = schema as Record<string, unknown>;
  if (Array.isArray(allowed)) return allowed[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as object).map(([name, field]) => [name, generateSample(field)]),
      );
    case 'array':
      return [generateSample(items ?? { type: 'string' })];
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 42;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return format === 'date' ? '2026-11-21' : format === 'email' ? 'ada@example.com' : 'Ada';
  }
}
