import {
  type CallToolResult,
  Client,
  type DiscoverResult,
  type FetchLike,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { asToolFailure, InputError, isSkillError, SkillError } from '../../core/errors/skill-error';
import { attributeText } from '../../kit/attribute-text';
import { removeNumberMarks, writeNumberTexts } from '../../kit/number-texts';
import { MCP_IDENTITY } from '../../kit/version';
import { withTimeout } from '../../kit/with-timeout';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import { confineImported } from '../confinement/confine-program';
import { McpExchanges } from './mcp-exchanges';
import { limitResponse, limitTransport, McpLimits } from './mcp-limits';
import { McpProgram } from './mcp-program';
import { McpStrayAnswers } from './mcp-stray-answers';

/** The limit for connecting, and for listing tools. */
const CONNECT_MS = 20_000;
/** The SDK's own timeout, one day: our callers abort earlier. */
const CALL_MS = 86_400_000;
const MAX_PAGES = 20;
const MAX_LISTED = 2_000;
const MAX_MESSAGE_CHARS = 400;
/** The largest response to `server/discover` that is stored for reuse. */
const MAX_DISCOVERED_CHARS = 32 * 1024;
/** How long a cancellation may take to reach the server before the connection closes. */
const CLOSE_GRACE_MS = 800;

/** Which revision a server speaks, as discovered; reusing it saves a probe. */
export type McpEra = { kind: 'legacy' } | { kind: 'modern'; discover: DiscoverResult };

export interface McpListing {
  title: string;
  version: string;
  /** For people. Its `instructions` are left out, because a model would obey untrusted text. */
  description: string;
  tools: Tool[];
  era: McpEra | null;
}

export interface McpCall {
  name: string;
  arguments: Record<string, unknown>;
  inputSchema: Tool['inputSchema'];
  signal: AbortSignal;
  onProgress(report: { progress: number; total?: number | undefined; message?: string | undefined }): void;
}

export type McpResult = CallToolResult;

/** A connection to an MCP server. It throws SkillErrors for the caller, or the signal's reason. */
export interface McpConnection {
  list(signal?: AbortSignal): Promise<McpListing>;
  call(call: McpCall): Promise<McpResult>;
  close(): Promise<void>;
}

interface HttpOptions {
  url: string;
  /** Sends requests, only to the server's origin. */
  fetch: FetchLike;
  era: McpEra | null;
  signal?: AbortSignal;
}

/**
 * Connects over Streamable HTTP, for one call or listing. Redirects must stay within the origin.
 */
export async function connectMcpHttp({ url, fetch, era, signal }: HttpOptions): Promise<McpConnection> {
  let farewell: Promise<unknown> = Promise.resolve();
  const limits = new McpLimits((reason) => {
    transport.onerror?.(reason);
    transport.close().catch(() => undefined);
  });
  const exchanges = new McpExchanges();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    async fetch(target, init = {}) {
      const headers = new Headers(init.headers);
      // Declines the standalone event stream, which one call does not need; resuming is allowed.
      if (init.method === 'GET' && !exchanges.resume(headers)) return new Response(null, { status: 405 });
      limits.countRequest();
      const isFarewell = init.method === 'DELETE' || String(init.body).includes('"notifications/cancelled"');
      const asked = exchanges.fetch({ ...init, headers }, async (unmarked) =>
        fetch(target, { ...writeNumbers(unmarked), keepalive: isFarewell }),
      );
      if (isFarewell) farewell = asked.catch(() => undefined);
      return limitResponse(await asked, limits);
    },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
  const strays = new McpStrayAnswers(transport, limits);
  limitTransport(transport, limits, (message) => {
    exchanges.receive(message);
    strays.receive(message);
  });
  exchanges.watch(transport);
  const client = createClient();
  const failures = rememberFailures(transport);
  try {
    await client.connect(transport, connectOptions(era, signal));
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failures.toSkillError(error, signal);
  }
  return createConnection({ client, failures, limits }, async () => {
    await withTimeout(farewell, CLOSE_GRACE_MS, () => undefined);
    if (transport.sessionId)
      await withTimeout(
        transport.terminateSession().catch(() => undefined),
        CLOSE_GRACE_MS,
        () => undefined,
      );
    await client.close().catch(() => undefined);
  });
}

/** The SDK serialises with JSON.stringify, and copies some arguments to headers. */
function writeNumbers(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of headers) headers.set(name, removeNumberMarks(value));
  return { ...init, headers, ...(typeof init.body === 'string' && { body: writeNumberTexts(init.body) }) };
}

interface StdioOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The complete environment, except for PATH and the user's name. */
  env: Record<string, string>;
  era: McpEra | null;
  /** Ends the connecting. */
  signal?: AbortSignal;
  onStderr(text: string): void;
  /** The program has exited or was ended. */
  onClose(): void;
  /** The server announced that its list of tools has changed. */
  onToolsChanged(): void;
}

/**
 * Starts a program without a shell and without access to the gateway's files, and speaks MCP on its
 * standard streams. The program ends with its connection.
 */
export async function connectMcpStdio(options: StdioOptions): Promise<McpConnection> {
  const { cwd, env, era, signal } = options;
  const { program, args } = await confineImported({ program: options.command, args: options.args }, cwd);
  const onStderr = (text: string) => options.onStderr(text);
  const transport = new McpProgram({ command: program, args, cwd, env, stderr: 'pipe', onStderr });
  const client = createClient();
  const failures = rememberFailures(transport);
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged());
  try {
    await client.connect(transport, connectOptions(era, signal));
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failures.toSkillError(error, signal);
  }
  client.onclose = () => options.onClose();
  return createConnection({ client, failures, limits: transport.limits }, async () => {
    await client.close().catch(() => undefined);
  });
}

function createClient(): Client {
  return new Client(MCP_IDENTITY, {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: CONNECT_MS } },
    // There is no user here who could answer a server's question.
    inputRequired: { autoFulfill: false },
    listMaxPages: MAX_PAGES,
  });
}

function connectOptions(era: McpEra | null, signal?: AbortSignal) {
  return { timeout: CONNECT_MS, ...(signal && { signal }), ...(era && { prior: era }) };
}

/**
 * Dispatches progress notifications to calls. The SDK removes its own listener as soon as a result
 * arrives, although earlier notifications may still be in processing.
 */
function listenForProgress(client: Client): Map<string | number, McpCall['onProgress']> {
  const listeners = new Map<string | number, McpCall['onProgress']>();
  client.setNotificationHandler('notifications/progress', ({ params }) =>
    listeners.get(params.progressToken)?.(params),
  );
  return listeners;
}

interface Connected {
  client: Client;
  failures: Failures;
  limits: McpLimits;
}

function createConnection(
  { client, failures, limits }: Connected,
  close: () => Promise<void>,
): McpConnection {
  const listeners = listenForProgress(client);
  let calls = 0;
  return {
    async list(signal) {
      try {
        return await limits.duringCall(() => listAll(client, signal));
      } catch (error) {
        throw failures.toSkillError(error, signal);
      }
    },
    async call({ name, arguments: given, inputSchema, signal, onProgress }) {
      const progressToken = `call-${++calls}`;
      listeners.set(progressToken, onProgress);
      try {
        // With the pinned definition the SDK does not list the tools; our callers check the output.
        const options = { signal, timeout: CALL_MS, toolDefinition: { name, inputSchema } };
        const asked = { name, arguments: given, _meta: { progressToken } };
        return await limits.duringCall(async () => {
          const result = await client.callTool(asked, options);
          // The answers to a batch may arrive together.
          await yieldToEventLoop();
          return result;
        });
      } catch (error) {
        throw failures.toSkillError(error, signal);
      } finally {
        listeners.delete(progressToken);
      }
    },
    close,
  };
}

async function listAll(client: Client, signal?: AbortSignal): Promise<McpListing> {
  if (!client.getServerCapabilities()?.tools) throw new SkillError('The MCP server offers no tools.');
  // All pages: the SDK follows the cursor until the end, or until the limit.
  const { tools } = await client.listTools(undefined, {
    timeout: CONNECT_MS,
    cacheMode: 'refresh',
    ...(signal && { signal }),
  });
  if (tools.length > MAX_LISTED) throw new SkillError(`The MCP server lists more than ${MAX_LISTED} tools.`);
  const server = client.getServerVersion();
  return {
    title: server?.title ?? server?.name ?? '',
    version: server?.version ?? '',
    description: server?.description ?? '',
    tools,
    era: getEra(client),
  };
}

function getEra(client: Client): McpEra | null {
  if (client.getProtocolEra() === 'legacy') return { kind: 'legacy' };
  const discover = client.getDiscoverResult();
  if (!discover || JSON.stringify(discover).length > MAX_DISCOVERED_CHARS) return null;
  return { kind: 'modern', discover };
}

interface Failures {
  toSkillError(error: unknown, signal?: AbortSignal): unknown;
}

/** The SDK only reports that a stream ended; the cause reaches nothing but `onerror`. */
function rememberFailures(transport: { onerror?: ((error: Error) => void) | undefined }): Failures {
  let said: unknown;
  const hear = (error: unknown) => {
    for (let cause: unknown = error, i = 0; i < 3 && cause instanceof Error; i++, cause = cause.cause)
      if (isSkillError(cause)) said ??= asToolFailure(cause);
  };
  // On connect, the client adds its own handler.
  transport.onerror = hear;
  return {
    toSkillError(error, signal) {
      if (signal?.aborted) return signal.reason;
      hear(error);
      return said ?? toSkillError(error);
    },
  };
}

function toSkillError(error: unknown): unknown {
  if (error instanceof SdkHttpError) {
    const { status } = error.data;
    if (status === 401 || status === 403)
      return new SkillError(`The MCP server refused the credential (${status}).`);
    if (status >= 300 && status < 400)
      return new SkillError('The MCP server redirects to another address, which is not followed.');
    return new SkillError(`The MCP server answered with an error (${status}).`);
  }
  if (error instanceof ProtocolError) {
    const message = attributeText('The MCP server refused the call', error.message, MAX_MESSAGE_CHARS);
    return error.code === ProtocolErrorCode.InvalidParams ? new InputError(message) : new SkillError(message);
  }
  if (!(error instanceof SdkError)) {
    const failed = new SkillError('The MCP server cannot be used.');
    failed.cause = error;
    return failed;
  }
  if (error.code === SdkErrorCode.RequestTimeout)
    return new SkillError('The MCP server did not answer in time.');
  if (error.code === SdkErrorCode.ListPaginationExceeded)
    return new SkillError(`The MCP server lists its tools on more than ${MAX_PAGES} pages.`);
  if (error.code === SdkErrorCode.UnsupportedResultType)
    return new SkillError('The MCP server requests input from a person, which is not supported here.');
  const failed = new SkillError('The MCP server closed the connection or sent a response that is not MCP.');
  failed.cause = error;
  return failed;
}
