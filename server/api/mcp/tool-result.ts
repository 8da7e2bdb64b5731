import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { errorBody } from '../../core/errors/error-body';
import { fieldErrors, invalidFields } from '../../core/errors/field-errors';
import type { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Reply } from '../../core/trpc/context';
import { readLeniently } from '../../kit/lenient-input';
import type { McpCall } from './mcp-call';
import { META } from './meta';

/** Maximum number of links to files in one result; a model needs no more. */
const MAX_LINKS = 20;
const REPLAYED: ContentBlock = {
  type: 'text',
  text: 'This is the stored result of an earlier request with the same idempotency key: nothing ran or was charged now.',
};
const ASSET_ID = /^asset_[0-9a-z_]{1,80}$/;
const RATE_ITEM = /"([^"]+)";r=(\d+);t=(\d+)/g;

/** A success: the object, its JSON text, and links to the files it names. */
export function buildResult(
  call: McpCall,
  output: unknown,
  meta: Record<string, unknown> = {},
): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(output) },
      // A model does not see `_meta`.
      ...(meta[META.replayed] === true ? [REPLAYED] : []),
      ...listAssetLinks(output),
    ],
    structuredContent: output,
    _meta: { [META.requestId]: call.requestId, ...meta },
  };
}

/**
 * A success that a model reads, such as the catalogue: as text only, because many clients show a
 * model the structured content too.
 */
export function buildTextResult(call: McpCall, output: unknown): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(output) }],
    _meta: { [META.requestId]: call.requestId },
  };
}

/** A failure: a result with `isError` and the Error body of REST. */
export function buildErrorResult(
  call: McpCall,
  thrown: unknown,
  meta: Record<string, unknown> = {},
): CallToolResult {
  const error = toGatewayError(thrown);
  logFailure(call.runtime, call.requestId, error);
  const { baseUrl } = call.runtime.settings;
  return buildFailureResult(call, errorBody(error, call.requestId, baseUrl, 'mcp'), meta);
}

/** A failure whose Error body exists already, such as the last event of a call. */
export function buildFailureResult(
  call: McpCall,
  body: object,
  meta: Record<string, unknown> = {},
): CallToolResult {
  return { ...buildResult(call, body, meta), isError: true };
}

/** Logs errors that neither the client nor the tool caused. */
export function logFailure(runtime: Pick<Runtime, 'log'>, requestId: string, error: GatewayError): void {
  if (error.status >= 500 && error.status !== 501 && error.status !== 502)
    runtime.log.error('mcp.request_failed', { requestId, error: error.cause ?? error });
}

/** Builds `_meta` from what a procedure reports besides its result. */
export function buildMeta({ headers, deprecation }: Reply): Record<string, unknown> {
  const rateLimit = parseRateLimit(headers);
  return {
    ...(rateLimit ? { [META.rateLimit]: rateLimit } : {}),
    ...(headers['Idempotent-Replayed'] === 'true' ? { [META.replayed]: true } : {}),
    ...(deprecation ? { [META.deprecated]: deprecation.deprecated } : {}),
  };
}

/** The window with the fewest calls left, in the form of a stream's `rate_limit` event. */
function parseRateLimit(headers: Record<string, string>): object | null {
  const { RateLimit: state, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': reset } = headers;
  if (state === undefined) return null;
  for (const [, policy, left, seconds] of state.matchAll(RATE_ITEM))
    if (left === remaining && seconds === reset)
      return {
        policy,
        limit: Number(headers['RateLimit-Limit']),
        remaining: Number(left),
        reset: Number(seconds),
      };
  return null;
}

function listAssetLinks(output: unknown): ContentBlock[] {
  const ids = new Set<string>();
  const open: unknown[] = [output];
  while (open.length > 0 && ids.size < MAX_LINKS) {
    const at = open.pop();
    if (typeof at === 'string' && ASSET_ID.test(at)) ids.add(at);
    else if (typeof at === 'object' && at !== null) open.push(...Object.values(at).slice(0, 100));
  }
  return [...ids].map((id) => ({ type: 'resource_link', uri: `asset://${id}`, name: id }));
}

/**
 * Validates a tool's arguments.
 * @throws GatewayError INVALID_INPUT, naming the fields
 */
export function readArguments<T extends z.ZodObject>(schema: T, args: unknown): z.infer<T> {
  const parsed = schema.safeParse(readLeniently(schema, args ?? {}));
  if (parsed.success) return parsed.data;
  throw invalidFields(fieldErrors(parsed.error));
}
