import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';

/** A request as a played provider sees it, its key already checked. */
export interface StubRequest {
  readonly method: string;
  /** Below the provider's base address. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** What is to happen, where the key or the input asks for more than success. */
  readonly behaviour: string;
  /** How often this behaviour was asked for before, with this key. */
  readonly seen: number;
  /** Where the stub serves files to anyone, as providers' file hosts do. */
  readonly filesUrl: string;
}

export interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, everything else as JSON. */
  readonly body: unknown;
}

export interface PlayedProvider {
  /** The key, from where this provider wants it; undefined where it is not there. */
  keyIn(headers: IncomingHttpHeaders): string | undefined;
  answer(request: StubRequest): StubAnswer;
  /** The shape of its errors. */
  error(status: number, message: string): unknown;
}

export const bearerIn = ({ authorization }: IncomingHttpHeaders) =>
  /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
export const headerIn = (name: string) => (headers: IncomingHttpHeaders) => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Thrown by a played provider where a request is not as its documentation says. */
export class BadRequest extends Error {}

/** The JSON of a request, as strictly as the schema; its Content-Type too. */
export function jsonOf<Body>(request: StubRequest, schema: z.ZodType<Body>): Body {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    throw new BadRequest('Content-Type must be application/json');
  const parsed = schema.safeParse(JSON.parse(request.body.toString()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BadRequest(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** A value that a JSON Schema allows, simple schemas only: what a model would have read from a text. */
export function sampleOf(schema: unknown): unknown {
  const { type, properties, items, enum: allowed, minimum, format } = schema as Record<string, unknown>;
  if (Array.isArray(allowed)) return allowed[0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((properties ?? {}) as object).map(([name, field]) => [name, sampleOf(field)]),
      );
    case 'array':
      return [sampleOf(items ?? { type: 'string' })];
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
