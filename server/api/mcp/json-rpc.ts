import { INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR } from '@modelcontextprotocol/server';
import { errorBody } from '../../core/errors/error-body';
import type { GatewayError } from '../../core/errors/gateway-error';
import { wordHint } from '../../core/errors/hint';
import { COMMON_HEADERS } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import { errorHeaders } from '../../core/http/responses';

/** For errors that no JSON-RPC code describes; `error.data` is our Error body. */
const REFUSED = -32_000;

export type RequestId = string | number | null;

/** The parts of a JSON-RPC 2.0 message that the gateway reads before the protocol handler does. */
export interface Message {
  method: string | null;
  id: RequestId;
  params: Readonly<Record<string, unknown>>;
}

/** Reads those parts from a parsed body; from one that is not a message, none. */
export function readMessage(body: unknown): Message {
  const { id, method, params } = isObject(body) ? body : {};
  return {
    method: typeof method === 'string' ? method : null,
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    params: isObject(params) ? params : {},
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An HTTP response with a JSON-RPC error. */
export function answerError(
  status: number,
  error: { code: number; message: string; data?: unknown },
  { id = null, headers = {} }: { id?: RequestId; headers?: Record<string, string> } = {},
): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...COMMON_HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  };
}

/** An HTTP response with a GatewayError as a JSON-RPC error. */
export function answerRefusal(
  error: GatewayError,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
  { id, headers }: { id: RequestId; headers?: Record<string, string> },
): HttpResponse {
  return answerError(error.status, rpcError(error, requestId, baseUrl), {
    id,
    headers: { ...errorHeaders(error), ...headers },
  });
}

/**
 * Converts a GatewayError to a JSON-RPC error. Its message includes the hint, and its data is our
 * Error body.
 */
export function rpcError(
  error: GatewayError,
  requestId: string,
  baseUrl: string,
): { code: number; message: string; data: object } {
  return {
    code: toRpcCode(error),
    message: `${error.message} ${wordHint(error.hint, 'mcp')}`,
    data: errorBody(error, requestId, baseUrl, 'mcp'),
  };
}

function toRpcCode(error: GatewayError): number {
  switch (error.code) {
    case 'METHOD_NOT_ALLOWED':
      return METHOD_NOT_FOUND;
    case 'INVALID_INPUT':
      return error.message.startsWith('body: Must be valid JSON') ? PARSE_ERROR : INVALID_REQUEST;
    case 'INTERNAL':
      return INTERNAL_ERROR;
    default:
      return REFUSED;
  }
}
