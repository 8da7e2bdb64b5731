import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { GatewayError } from '../../core/errors/gateway-error';
import { BodyTooLarge, type HttpRequest } from '../../core/http/message';
import { findJsonError } from '../../kit/find-json-error';
import { readLeniently } from '../../kit/lenient-input';
import { replaceInexactNumbers } from '../../kit/parse-json';
import { type JsonScan, MAX_JSON_DEPTH, MAX_JSON_PARTS, scanJson } from '../../kit/scan-json';
import { requirePlainBody } from './plain-body';
import type { Route } from './routes';

type Json = Record<string, unknown>;

/** Fields with a number that cannot be kept that one error names. */
const MAX_REPORTED_NUMBERS = 5;
const MAX_SHOWN_DIGITS = 60;

/**
 * Reads a procedure's input: path parameters plus the query (GET, DELETE) or the JSON body. No
 * value is coerced; what models write is read leniently.
 * @throws TRPCError BAD_REQUEST with its GatewayError: INVALID_INPUT, PAYLOAD_TOO_LARGE,
 *   UNSUPPORTED_MEDIA_TYPE
 */
export function readInput(
  request: Pick<HttpRequest, 'header' | 'body'>,
  route: Pick<Route, 'hasInput' | 'method' | 'modelInput' | 'params'>,
  params: Record<string, string>,
  query: string,
  bodyLimit: number,
): Promise<unknown> {
  if (!route.hasInput) return Promise.resolve(undefined);
  if (route.method === 'GET' || route.method === 'DELETE')
    return Promise.resolve(Object.assign(readQuery(query), params));
  const body = readJson(request, bodyLimit, route.modelInput);
  return route.params.length === 0 ? body : body.then((json) => withParams(json, params));
}

function withParams(body: unknown, params: Record<string, string>): Json {
  if (body === undefined) return params;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('Must be a JSON object.');
  // A body field that repeats a path parameter is refused: it may differ, and would be ignored.
  for (const name of Object.keys(params)) if (Object.hasOwn(body, name)) throw inPath(name);
  return { ...body, ...params };
}

/**
 * A repeated parameter becomes a list, which every schema refuses, instead of one of its values.
 */
function readQuery(query: string): Json {
  const input: Json = {};
  if (query === '') return input;
  for (const [name, value] of new URLSearchParams(query)) {
    const known = Object.hasOwn(input, name) ? input[name] : undefined;
    if (Array.isArray(known)) {
      known.push(value);
      continue;
    }
    const next = known === undefined ? value : [known, value];
    Object.defineProperty(input, name, { value: next, enumerable: true, configurable: true, writable: true });
  }
  return input;
}

async function readJson(
  request: Pick<HttpRequest, 'header' | 'body'>,
  limit: number,
  schema: Route['modelInput'],
): Promise<unknown> {
  try {
    requirePlainBody(request);
    let bytes: Buffer;
    try {
      bytes = await request.body(limit);
    } catch (error) {
      throw toBodyError(error, limit);
    }
    if (bytes.length === 0) return undefined;
    if (!isJsonType(request.header('content-type'))) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE');
    if (!isUtf8(bytes)) throw invalidBody('Must be UTF-8.');
    const value = await parseJson(bytes);
    return schema ? readLeniently(schema, value) : value;
  } catch (error) {
    // As tRPC refuses what the schema does: so a middleware knows that the procedure did not run.
    throw error instanceof GatewayError ? new TRPCError({ code: 'BAD_REQUEST', cause: error }) : error;
  }
}

function toBodyError(error: unknown, limit: number): GatewayError {
  if (error instanceof BodyTooLarge)
    return new GatewayError('PAYLOAD_TOO_LARGE', { message: `The body must be at most ${limit} bytes.` });
  return new GatewayError('INVALID_INPUT', { message: 'The body is incomplete.', cause: error });
}

function isJsonType(type: string | undefined): boolean {
  const media = type?.split(';', 1)[0]?.trim().toLowerCase();
  return (
    media === 'application/json' || (media?.startsWith('application/') === true && media.endsWith('+json'))
  );
}

/**
 * Counts the parts of a JSON body and refuses one that is too large or too deep to parse.
 * @throws GatewayError INVALID_INPUT
 */
export function scanBody(bytes: Uint8Array): JsonScan {
  const scan = scanJson(bytes);
  if (scan.parts > MAX_JSON_PARTS)
    throw invalidBody(`Must have at most ${MAX_JSON_PARTS} objects, arrays and fields.`);
  if (scan.depth > MAX_JSON_DEPTH) throw invalidBody(`Must be at most ${MAX_JSON_DEPTH} levels deep.`);
  return scan;
}

async function parseJson(bytes: Buffer): Promise<unknown> {
  const { mayLoseDigits } = scanBody(bytes);
  const sent = bytes.toString('utf8');
  const text = sent.charCodeAt(0) === 0xfeff ? sent.slice(1) : sent;
  try {
    const value: unknown = JSON.parse(text);
    if (!mayLoseDigits) return value;
  } catch (error) {
    throw invalidBody(`Must be valid JSON${describeJsonError(text)}.`, error);
  }
  return parseExactNumbers(bytes);
}

/** Repeats one character of the body at most: it may contain secrets. */
function describeJsonError(text: string): string {
  const error = findJsonError(text);
  if (!error) return '';
  const found = error.found === null ? 'the end of the body' : JSON.stringify(error.found);
  return `. Line ${error.line}, column ${error.column}: expected ${error.expected}; got ${found}`;
}

/**
 * Refuses numbers that a double cannot hold: JSON.parse would return others, so that a call reads
 * or pays for something else, and 1e309 would serialise as null.
 */
async function parseExactNumbers(bytes: Buffer): Promise<unknown> {
  const mark = randomUUID();
  const marked = await replaceInexactNumbers(bytes, (literal) => `"${mark}${literal}"`);
  const text = new TextDecoder().decode(marked);
  // Cannot throw: the original parsed
  const value: unknown = JSON.parse(text);
  const fields = text.includes(mark) ? findTexts({ '': value }, mark).map(describeInexact) : [];
  if (fields.length === 0) return value;
  throw new GatewayError('INVALID_INPUT', {
    message: fields.map(({ path, message }) => `${path}: ${message}`).join(' '),
    details: { fields },
  });
}

function describeInexact({ path, text }: MarkedText): { path: string; message: string } {
  const shown = text.length > MAX_SHOWN_DIGITS ? `${text.slice(0, MAX_SHOWN_DIGITS)}…` : text;
  const message = `${shown} would change as a JSON number. Send it as text, in quotes, or with fewer digits.`;
  return { path: path === '' ? 'body' : path, message };
}

interface MarkedText {
  path: string;
  /** Without the mark. */
  text: string;
}

/** Finds the first texts that begin with `mark`. */
function findTexts(root: Json, mark: string): MarkedText[] {
  const found: MarkedText[] = [];
  // Stores the path of containers only: there may be hundreds of thousands of values.
  const open: { holder: Readonly<Record<string, unknown>>; path: string }[] = [{ holder: root, path: '' }];
  for (let at = open.pop(); at && found.length < MAX_REPORTED_NUMBERS; at = open.pop()) {
    const { holder, path } = at;
    const keys = Array.isArray(holder) ? undefined : Object.keys(holder);
    const length = keys ? keys.length : Number(holder.length);
    for (let index = 0; index < length && found.length < MAX_REPORTED_NUMBERS; index += 1) {
      const key = keys?.[index] ?? index;
      const child = holder[key];
      if (typeof child === 'string' && child.startsWith(mark))
        found.push({ path: joinPath(path, key), text: child.slice(mark.length) });
      if (typeof child === 'object' && child !== null)
        open.push({ holder: child as Json, path: joinPath(path, key) });
    }
  }
  return found;
}

function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function inPath(name: string): GatewayError {
  const message = `Unknown field \`${name}\`. It is part of the path.`;
  return new GatewayError('INVALID_INPUT', {
    message: `${name}: ${message}`,
    details: { fields: [{ path: name, message }] },
  });
}

function invalidBody(message: string, cause?: unknown): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `body: ${message}`,
    details: { fields: [{ path: 'body', message }] },
    cause,
  });
}
