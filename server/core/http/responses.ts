import type { ServerResponse } from 'node:http';
import { errorBody } from '../errors/error-body';
import type { GatewayError } from '../errors/gateway-error';
import { COMMON_HEADERS, challenge, JSON_TYPE } from './headers';
import type { HttpResponse } from './message';

/** A response whose body is a text. */
export interface TextResponse extends HttpResponse {
  body: string;
}

interface ErrorOptions {
  requestId: string;
  /** Null where it is not known yet. */
  baseUrl: string | null;
  /** A more precise status than that of the code. */
  status?: number;
  headers?: Record<string, string>;
}

/** The response to a failed request: the Error shape, and every header that the error needs. */
export function errorResponse(
  error: GatewayError,
  { requestId, baseUrl, status = error.status, headers }: ErrorOptions,
): TextResponse {
  const all = { 'X-Request-Id': requestId, ...headers, ...errorHeaders(error) };
  return jsonResponse(status, errorBody(error, requestId, baseUrl), all);
}

/** The headers of an error in any format: challenge, Retry-After, and those of the error itself. */
export function errorHeaders({ code, status, details, headers }: GatewayError): Record<string, string> {
  const all: Record<string, string> = {};
  if (status === 401) all['WWW-Authenticate'] = challenge(code);
  if (details.retry_after !== undefined) all['Retry-After'] = String(details.retry_after);
  return Object.assign(all, headers);
}

/** A JSON response that is not cached, unless `headers` say otherwise. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): TextResponse {
  const all = { 'Content-Type': JSON_TYPE, ...COMMON_HEADERS, ...headers };
  return { status, headers: all, body: JSON.stringify(body) };
}

/** A plain text response that is not cached, for people and where no format is agreed. */
export function textResponse(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): TextResponse {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...COMMON_HEADERS, ...headers },
    body,
  };
}

/** Converts a response for a route handler of Next. */
export function toFetchResponse({ status, headers, body }: TextResponse): Response {
  return new Response(body, { status, headers });
}

/** Sends a response with Node's HTTP server. */
export function writeResponse(res: ServerResponse, { status, headers, body }: TextResponse): void {
  res.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body);
}
