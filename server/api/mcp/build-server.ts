import {
  type CacheHint,
  type CallToolResult,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { isPaidCall } from '../../calls/payment/is-paid-call';
import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { MCP_IDENTITY } from '../../kit/version';
import { buildChallenge } from './challenge';
import { isObject, rpcError } from './json-rpc';
import type { McpCall } from './mcp-call';
import { META } from './meta';
import type { McpSurface, McpTool } from './surface';
import { buildErrorResult, logFailure } from './tool-result';
import { describeUnknownMethod, describeUnknownTool } from './unknown-names';

/** Lists that are fixed for a release: cacheable by anyone for five minutes. */
const FIXED: CacheHint = { ttlMs: 300_000, cacheScope: 'public' };
/** Files are listed per API key. */
const PER_KEY: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/**
 * A validator would only check what clients answer to server requests, and we send none; the SDK's
 * default would create an Ajv instance per request.
 */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'The server sends no requests to clients.',
  }),
};

/** Builds an MCP server for one request. It holds no other state. */
export function buildServer(surface: McpSurface, call: McpCall): Server {
  const { baseUrl, brand } = call.runtime.settings;
  const server = new Server(
    { ...MCP_IDENTITY, title: brand.name, websiteUrl: baseUrl },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: surface.instructions(baseUrl),
      jsonSchemaValidator: NO_VALIDATOR,
      cacheHints: {
        'tools/list': FIXED,
        'prompts/list': FIXED,
        'resources/templates/list': FIXED,
        'server/discover': FIXED,
        'resources/list': PER_KEY,
      },
    },
  );
  addTools(server, surface, call);
  addResources(server, surface, call);
  addPrompts(server, surface, call);
  // In 2026-07-28 the status must be 404, which a handler cannot set: see `completeError`.
  if (call.era === 'legacy')
    server.fallbackRequestHandler = async ({ method }) => {
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, describeUnknownMethod(method));
    };
  return server;
}

function addTools(server: Server, { tools }: McpSurface, call: McpCall): void {
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }));
  server.setRequestHandler('tools/call', async ({ params }, asked) => {
    const tool = tools.find(({ listed }) => listed.name === params.name);
    if (!tool) {
      const names = tools.map(({ listed }) => listed.name);
      throw invalidParams(describeUnknownTool(params.name, names, call.runtime.tools));
    }
    return lacksKey(tool, call, params.arguments)
      ? refuseKeyless(call)
      : await tool.run(call, params.arguments, asked);
  });
}

function lacksKey({ needsKey, payable }: McpTool, { actor, runtime }: McpCall, args: unknown): boolean {
  return actor === null && needsKey && !(payable && isObject(args) && isPaidCall(runtime, args));
}

/** A result instead of a 401, so that a model reads it. ChatGPT starts OAuth from its `_meta`. */
function refuseKeyless(call: McpCall): CallToolResult {
  const error = new GatewayError('AUTH_REQUIRED', { message: 'This tool requires an API key.' });
  const { baseUrl } = call.runtime.settings;
  return buildErrorResult(call, error, { [META.challenge]: [buildChallenge(baseUrl, error.code)] });
}

function addResources(server: Server, { resources }: McpSurface, call: McpCall): void {
  server.setRequestHandler('resources/list', async () => {
    const lists = await withProtocolErrors(call, () => Promise.all(resources.map((kind) => kind.list(call))));
    return { resources: lists.flat() };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resources.map(({ template }) => template),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    for (const kind of resources) {
      const read = await withProtocolErrors(call, () => kind.read(call, uri), uri);
      if (read) return read;
    }
    throw new ResourceNotFoundError(uri);
  });
}

function addPrompts(server: Server, { prompts, resources }: McpSurface, call: McpCall): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(({ listed }) => listed) }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = prompts.find(({ listed }) => listed.name === params.name);
    if (!prompt) throw invalidParams(`Unknown prompt ${JSON.stringify(params.name)}. See prompts/list.`);
    return await withProtocolErrors(call, async () => prompt.get(call, params.arguments ?? {}));
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const kind =
      ref.type === 'ref/resource'
        ? resources.find(({ template }) => template.uriTemplate === ref.uri)
        : undefined;
    const values = (await withProtocolErrors(call, async () => kind?.complete?.(call, argument.value))) ?? [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

/** Turns an error of `act` into a protocol error, with our Error body as its data. */
async function withProtocolErrors<T>(call: McpCall, act: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const error = toGatewayError(thrown);
    logFailure(call.runtime, call.requestId, error);
    if (uri !== undefined && isMissing(error)) throw new ResourceNotFoundError(uri, error.message);
    const { code, message, data } = rpcError(error, call.requestId, call.runtime.settings.baseUrl);
    throw new ProtocolError(
      error.code === 'INVALID_INPUT' ? ProtocolErrorCode.InvalidParams : code,
      message,
      data,
    );
  }
}

function isMissing({ code, status }: GatewayError): boolean {
  return status === 404 || code === 'INVALID_INPUT';
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
