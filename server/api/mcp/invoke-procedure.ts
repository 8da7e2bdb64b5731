import type { ServerContext } from '@modelcontextprotocol/server';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Reply, RequestContext } from '../../core/trpc/context';
import { callProcedure } from '../http/call-procedure';
import { clientIp, readProviderKeys } from '../http/request-context';
import { collectRoutes, type Route } from '../http/routes';
import type { McpCall } from './mcp-call';
import { META } from './meta';
import { readMetaPayment } from './payment';

/** The REST procedures that MCP calls. */
type ProcedureName =
  | 'tools.list'
  | 'tools.search'
  | 'tools.get'
  | 'calls.run'
  | 'jobs.list'
  | 'jobs.get'
  | 'jobs.cancel'
  | 'auth.me'
  | 'auth.provision'
  | 'billing.balance'
  | 'usage.summary'
  | 'usage.history'
  | 'usage.record'
  | 'receipts.get'
  | 'assets.list'
  | 'assets.remove'
  | 'assets.upload'
  | 'assets.meta'
  | 'assets.download'
  | 'reviews.post'
  | 'webhooks.secret';

interface InvokeOptions {
  /** Receives headers and other facts besides the result. */
  reply?: Reply;
  /** The MCP request, if there is one, for its `_meta`. */
  serverContext?: ServerContext;
  /** Parts of the context that only some procedures need. */
  more?: Partial<
    Pick<
      RequestContext,
      'waitSeconds' | 'wantsEvents' | 'wantsReceipt' | 'signal' | 'cancelSignal' | 'upload'
    >
  >;
}

let known: ReadonlyMap<string, Route> | undefined;

function findRoute(name: ProcedureName): Route {
  known ??= new Map(collectRoutes().map((route) => [route.name, route]));
  const route = known.get(name);
  if (!route) throw new Error(`There is no route ${name}`);
  return route;
}

/**
 * Calls the procedure of a REST route as REST would: the same checks, limits, charges and errors.
 * @throws TRPCError with the GatewayError as its cause; `toGatewayError` unwraps it
 */
export async function invokeProcedure(
  call: McpCall,
  name: ProcedureName,
  input: unknown,
  { reply = { headers: {} }, serverContext: asked, more = {} }: InvokeOptions = {},
): Promise<unknown> {
  const { procedure, type, rest } = findRoute(name);
  const { runtime, request } = call;
  const ctx: RequestContext = {
    runtime,
    requestId: call.requestId,
    clientIp: clientIp(request, runtime.settings.trustedProxyHops),
    credentials: rest.payPerCall ? await readCallCredentials(call, asked) : call.credentials,
    providerKeys: rest.providerKeys ? mergeProviderKeys(call, asked) : NO_KEYS,
    userAgent: request.header('user-agent') ?? null,
    idempotencyKey: rest.idempotent ? readMetaIdempotencyKey(asked) : undefined,
    signal: () => request.signal,
    reply,
    transport: 'rest',
    hintWords: 'mcp',
    ...more,
  };
  return await callProcedure(procedure, { ctx, path: name, type, getRawInput: async () => input });
}

/** A payment counts only without a key, as on REST. */
async function readCallCredentials(
  { credentials }: McpCall,
  asked: ServerContext | undefined,
): Promise<RequestContext['credentials']> {
  return credentials.kind === 'none' ? ((await readMetaPayment(asked)) ?? credentials) : credentials;
}

const NO_KEYS: ReadonlyMap<string, string> = new Map();

/**
 * Provider keys for this call: from headers as on REST, or from `_meta`, which takes precedence.
 * Never repeated in a response.
 */
function mergeProviderKeys(
  { request, runtime }: McpCall,
  asked: ServerContext | undefined,
): ReadonlyMap<string, string> {
  const sent = readProviderKeys(request, runtime);
  const named: unknown = asked?.mcpReq._meta?.[META.providerKeys];
  if (named === undefined) return sent;
  const keys = new Map(sent);
  if (typeof named !== 'object' || named === null || Array.isArray(named))
    throw invalidMeta(META.providerKeys, 'Must be an object that maps provider names to keys.');
  for (const [name, value] of Object.entries(named)) {
    const provider = name.toLowerCase();
    if (!runtime.slots.find(provider)) continue;
    if (typeof value !== 'string') throw invalidMeta(META.providerKeys, 'Each key must be a string.');
    keys.set(provider, value);
  }
  return keys;
}

function readMetaIdempotencyKey(asked: ServerContext | undefined): string | undefined {
  const key: unknown = asked?.mcpReq._meta?.[META.idempotencyKey];
  if (key === undefined || typeof key === 'string') return key;
  throw invalidMeta(META.idempotencyKey, 'Must be a string of 1 to 255 printable characters.');
}

function invalidMeta(name: string, message: string): GatewayError {
  const path = `_meta.${name}`;
  return new GatewayError('INVALID_INPUT', {
    message: `${path}: ${message}`,
    details: { fields: [{ path, message }] },
  });
}
