import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { confineImported } from '../confinement/confine-program';
import { limitResponse, limitTransport, McpLimits } from './mcp-limits';
import { McpProgram } from './mcp-program';

/** A connection is made, and a list read, within this. */
const CONNECT_MS = 20_000;
/** A request may take a day as far as the SDK is concerned: who asks ends it earlier. */
const CALL_MS = 86_400_000;
const MAX_PAGES = 20;
const MAX_LISTED = 2_000;
const MAX_SAID_CHARS = 400;
/** The most of a server's answer to `server/discover` that is kept for the next time. */
const MAX_DISCOVERED_CHARS = 32 * 1024;
/** How long a cancellation may take to reach a server that is being left. */
const FAREWELL_MS = 800;

/** Which revision a server speaks, as it was found: saves asking again. */
export type McpEra = { kind: 'legacy' } | { kind: 'modern'; discover: DiscoverResult };

export interface McpListing {
  title: string;
  version: string;
  /**
   * What it says of itself to people. Not its `instructions`: those speak to a model, and ours
   * would obey a stranger.
   */
  description: string;
  tools: Tool[];
  era: McpEra | null;
}

export interface McpCall {
  name: string;
  arguments: Record<string, unknown>;
  inputSchema: Tool['inputSchema'];
  signal: AbortSignal;
  onProgress(report: { progress: number; total?: number; message?: string }): void;
}

export type McpResult = CallToolResult;

/**
 * A connection with one MCP server. Everything it throws is a SkillError in words for a caller, or
 * the signal's reason.
 */
export interface McpConnection {
  list(): Promise<McpListing>;
  call(call: McpCall): Promise<McpResult>;
  close(): Promise<void>;
}

interface HttpOptions {
  url: string;
  /** How requests go out; it holds them to the server's origin. */
  fetch: FetchLike;
  era: McpEra | null;
  signal?: AbortSignal;
}

/**
 * Connects over Streamable HTTP, for one call or one look. Redirects are followed within the origin
 * only.
 */
export async function connectMcpHttp({ url, fetch, era, signal }: HttpOptions): Promise<McpConnection> {
  let farewell: Promise<unknown> = Promise.resolve();
  const limits = new McpLimits((reason) => {
    transport.onerror?.(reason);
    transport.close().catch(() => undefined);
  });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    async fetch(target, init = {}) {
      // The stream of what a server says by itself: a connection for one call has no use for it,
      // only for what it lost.
      if (init.method === 'GET' && !new Headers(init.headers).has('last-event-id'))
        return new Response(null, { status: 405 });
      limits.takeRequest();
      const isFarewell = init.method === 'DELETE' || String(init.body).includes('"notifications/cancelled"');
      const asked = Promise.resolve(fetch(target, { ...init, keepalive: isFarewell }));
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
  limitTransport(transport, limits);
  const client = createClient();
  const failures = rememberFailures(transport);
  try {
    await client.connect(transport, connectOptions(era, signal));
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failures.inWords(error, signal);
  }
  return connectionOf({ client, failures, limits }, async () => {
    await withinMs(farewell, FAREWELL_MS);
    if (transport.sessionId)
      await withinMs(
        transport.terminateSession().catch(() => undefined),
        FAREWELL_MS,
      );
    await client.close().catch(() => undefined);
  });
}

interface StdioOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  /** All of the environment but PATH and what names the user. */
  env: Record<string, string>;
  era: McpEra | null;
  onStderr(text: string): void;
  /** The program has ended, or was ended. */
  onClose(): void;
  /** It says that its tools are others now. */
  onToolsChanged(): void;
}

/**
 * Starts a program without a shell, without the gateway's files, and speaks MCP on its standard
 * streams. It is ended with its connection.
 */
export async function connectMcpStdio(options: StdioOptions): Promise<McpConnection> {
  const { cwd, env, era } = options;
  const { program, args } = await confineImported({ program: options.command, args: options.args }, cwd);
  const onStderr = (text: string) => options.onStderr(text);
  const transport = new McpProgram({ command: program, args, cwd, env, stderr: 'pipe', onStderr });
  const client = createClient();
  const failures = rememberFailures(transport);
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged());
  try {
    await client.connect(transport, connectOptions(era));
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failures.inWords(error);
  }
  client.onclose = () => options.onClose();
  return connectionOf({ client, failures, limits: transport.limits }, async () => {
    await client.close().catch(() => undefined);
  });
}

function createClient(): Client {
  return new Client(
    { name: 'tool-gateway', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: CONNECT_MS } },
      // Nobody sits here who could answer a server's questions.
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
    },
  );
}

function connectOptions(era: McpEra | null, signal?: AbortSignal) {
  return { timeout: CONNECT_MS, ...(signal && { signal }), ...(era && { prior: era }) };
}

/**
 * Who hears of the progress of which call. The SDK forgets its own listener the moment a result is
 * there, although what a server said just before it may still be on its way through it.
 */
function hearProgress(client: Client): Map<string | number, McpCall['onProgress']> {
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

function connectionOf({ client, failures, limits }: Connected, close: () => Promise<void>): McpConnection {
  const listeners = hearProgress(client);
  let calls = 0;
  return {
    async list() {
      try {
        return await limits.duringCall(() => listAll(client));
      } catch (error) {
        throw failures.inWords(error);
      }
    },
    async call({ name, arguments: given, inputSchema, signal, onProgress }) {
      const progressToken = `call-${++calls}`;
      listeners.set(progressToken, onProgress);
      try {
        // The pinned definition, so that the SDK asks for no list of its own; outputs are checked
        // by whoever called.
        const options = { signal, timeout: CALL_MS, toolDefinition: { name, inputSchema } };
        const asked = { name, arguments: given, _meta: { progressToken } };
        return await limits.duringCall(async () => {
          const result = await client.callTool(asked, options);
          await nextTurn();
          return result;
        });
      } catch (error) {
        throw failures.inWords(error, signal);
      } finally {
        listeners.delete(progressToken);
      }
    },
    close,
  };
}

async function listAll(client: Client): Promise<McpListing> {
  if (!client.getServerCapabilities()?.tools) throw new SkillError('The MCP server offers no tools.');
  // All pages: the SDK asks for the next one until there is none, or too many.
  const { tools } = await client.listTools(undefined, { timeout: CONNECT_MS, cacheMode: 'refresh' });
  if (tools.length > MAX_LISTED) throw new SkillError(`The MCP server lists more than ${MAX_LISTED} tools.`);
  const server = client.getServerVersion();
  return {
    title: server?.title ?? server?.name ?? '',
    version: server?.version ?? '',
    description: server?.description ?? '',
    tools,
    era: eraOf(client),
  };
}

function eraOf(client: Client): McpEra | null {
  if (client.getProtocolEra() === 'legacy') return { kind: 'legacy' };
  const discover = client.getDiscoverResult();
  if (!discover || JSON.stringify(discover).length > MAX_DISCOVERED_CHARS) return null;
  return { kind: 'modern', discover };
}

interface Failures {
  inWords(error: unknown, signal?: AbortSignal): unknown;
}

/** The SDK tells of a stream that broke that it ended; why it broke, only to `onerror`. */
function rememberFailures(transport: { onerror?: ((error: Error) => void) | undefined }): Failures {
  let said: unknown;
  const hear = (error: unknown) => {
    for (let cause: unknown = error, i = 0; i < 3 && cause instanceof Error; i++, cause = cause.cause)
      if (isSkillError(cause)) said ??= asToolFailure(cause);
  };
  // The client puts its own beside it when it connects.
  transport.onerror = hear;
  return {
    inWords(error, signal) {
      if (signal?.aborted) return signal.reason;
      hear(error);
      return said ?? failureInWords(error);
    },
  };
}

function failureInWords(error: unknown): unknown {
  if (error instanceof SdkHttpError) {
    const { status } = error.data;
    if (status === 401 || status === 403)
      return new SkillError(`The MCP server refused the credential (${status}).`);
    if (status >= 300 && status < 400)
      return new SkillError('The MCP server redirects to another address, which is not followed.');
    return new SkillError(`The MCP server answered with an error (${status}).`);
  }
  if (error instanceof ProtocolError) {
    const message = `The MCP server refused the call: ${error.message.slice(0, MAX_SAID_CHARS)}`;
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
    return new SkillError('The MCP server asks for more from a person, which cannot be given here.');
  const failed = new SkillError(
    'The MCP server ended the connection, or answered with something else than MCP.',
  );
  failed.cause = error;
  return failed;
}

async function withinMs(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
