import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../errors/gateway-error';
import { BodyTooLarge, type HttpRequest } from './message';
import type { Route } from './routes';

type Json = Record<string, unknown>;

/**
 * What the procedure gets: path parameters, then the query (GET, DELETE) or the JSON body. Nothing is coerced here.
 * @throws GatewayError INVALID_INPUT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export async function readInput(
  request: HttpRequest,
  route: Route,
  params: Record<string, string>,
  query: string,
  bodyLimit: number,
): Promise<unknown> {
  if (!route.hasInput) return undefined;
  if (route.method === 'GET' || route.method === 'DELETE') return { ...readQuery(query), ...params };
  const body = await readJson(request, bodyLimit);
  if (route.params.length === 0) return body;
  if (body === undefined) return params;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('Must be a JSON object.');
  return { ...body, ...params };
}

/** A parameter that comes twice is a list, which no schema here takes: said, not guessed. */
function readQuery(query: string): Json {
  const input: Json = {};
  if (query === '') return input;
  for (const [name, value] of new URLSearchParams(query)) {
    const known = Object.hasOwn(input, name) ? input[name] : undefined;
    const next = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
    Object.defineProperty(input, name, { value: next, enumerable: true, configurable: true, writable: true });
  }
  return input;
}

async function readJson(request: HttpRequest, limit: number): Promise<unknown> {
  let bytes: Buffer;
  try {
    bytes = await request.body(limit);
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw new GatewayError('PAYLOAD_TOO_LARGE', { message: `The body may have ${limit} bytes at most.` });
    throw new GatewayError('INVALID_INPUT', { message: 'The body did not arrive whole.', cause: error });
  }
  if (bytes.length === 0) return undefined;
  if (!isJsonType(request.header('content-type'))) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(bytes)) throw invalidBody('Must be UTF-8.');
  return parseJson(bytes.toString('utf8'));
}

function isJsonType(type: string | undefined): boolean {
  const media = type?.split(';', 1)[0]?.trim().toLowerCase();
  return (
    media === 'application/json' || (media?.startsWith('application/') === true && media.endsWith('+json'))
  );
}

// Only an exponent can make a JSON number infinite; the walk is for bodies that have a large one.
const LARGE_EXPONENT = /[eE]\+?\d{3}/;
const LONG_NUMBER = /\d{309}/;

/** JSON.parse takes any depth; what writes, compares or stores a value walks it on the stack. */
const MAX_DEPTH = 1_000;

function isDeeper(root: unknown, levels: number): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    throw invalidBody('Must be valid JSON.', error);
  }
  if (text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH))
    throw invalidBody(`May be ${MAX_DEPTH} levels deep at most.`);
  if (LARGE_EXPONENT.test(text) || LONG_NUMBER.test(text)) refuseInfinite(value);
  return value;
}

/** JSON.parse('1e309') is Infinity, which would be written back as null and read as "no limit". */
function refuseInfinite(root: unknown): void {
  const open: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, path } = at;
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const field = path === '' ? 'body' : path;
      throw new GatewayError('INVALID_INPUT', {
        message: `${field}: Must be a finite number.`,
        details: { fields: [{ path: field, message: 'Must be a finite number.' }] },
      });
    }
    if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value))
        open.push({
          value: child,
          path: Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
        });
  }
}

function invalidBody(message: string, cause?: unknown): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `body: ${message}`,
    details: { fields: [{ path: 'body', message }] },
    cause,
  });
}
