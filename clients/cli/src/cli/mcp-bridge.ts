import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isErrorBody } from '../errors.js';
import { markNumbers, writeMarkedNumbers } from './number-lines.js';
import type { Session } from './session.js';
import { VERSION } from './version.js';

/** How long to wait for pending responses after the client closes standard input. */
const DRAIN_MS = 5_000;
/** From JSON-RPC's range for implementations; the MCP SDKs use both for transport errors. */
const CONNECTION_CLOSED = -32_000;
const UNAUTHORIZED = -32_001;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Forwards MCP messages between stdio and the gateway's /mcp until standard input ends or Ctrl-C.
 * It interprets only what differs between the transports: protocol version and cancellation.
 */
export async function runBridge(session: Session): Promise<void> {
  const baseUrl = await session.baseUrl();
  const key = (await session.findKey())?.key;
  const { stdin, stdout } = session.terminal;
  if (session.output.isInteractive && stdin.isTTY)
    session.output.note('This is an MCP server on stdio; it is meant to be started by an MCP client.');
  if (key === undefined)
    session.output.note(
      'No API key: tools can be found but not called. Create a key with tool-gateway provision.',
    );
  const bridge = new Bridge({
    url: new URL(`${baseUrl}/mcp`),
    key,
    stdin,
    stdout,
    log: (message) => session.output.note(message),
  });
  await bridge.run(session.signal);
}

interface BridgeOptions {
  url: URL;
  key: string | undefined;
  stdin: Readable;
  stdout: Writable;
  log: (message: string) => void;
}

class Bridge {
  readonly #stdin: Readable;
  readonly #stdio: StdioServerTransport;
  readonly #http: StreamableHTTPClientTransport;
  readonly #log: (message: string) => void;
  /** Client requests without a response yet. */
  readonly #pending = new Map<RequestId, { modern: boolean; controller: AbortController }>();
  /** `initialize` requests of the 2025 protocol; their response has the negotiated version. */
  readonly #handshakes = new Set<RequestId>();
  #drained: (() => void) | undefined;

  constructor({ url, key, stdin, stdout, log }: BridgeOptions) {
    this.#stdin = stdin;
    // Without `end: false` the transport would close at end of input and drop pending responses.
    this.#stdio = new StdioServerTransport(stdin.pipe(markNumbers(), { end: false }), stdout, {
      maxBufferSize: MAX_MESSAGE_BYTES,
    });
    this.#log = log;
    const headers: Record<string, string> = { 'User-Agent': `tool-gateway-cli/${VERSION}` };
    if (key !== undefined) headers.Authorization = `Bearer ${key}`;
    this.#http = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch: (target, init) =>
        fetch(
          target,
          typeof init?.body === 'string' ? { ...init, body: writeMarkedNumbers(init.body) } : init,
        ),
    });
  }

  /** Resolves when standard input has ended or the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#stdio.onclose = resolve;
      this.#stdin.once('end', () => void this.#drain().then(resolve));
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#stdio.onmessage = (message) => void this.#toGateway(message);
    this.#stdio.onerror = (error) => this.#log(`Error reading from the client: ${error.message}`);
    this.#http.onmessage = (message) => void this.#toClient(message);
    // Request failures are handled by #request; the stream for unsolicited messages is optional.
    this.#http.onerror = () => undefined;
    await this.#http.start();
    await this.#stdio.start();
    await closed;
    for (const { controller } of this.#pending.values()) controller.abort();
    await this.#http.close();
    await this.#stdio.close();
  }

  /** Waits up to DRAIN_MS for pending responses; the client may be gone. */
  async #drain(): Promise<void> {
    // The last messages may still be in the pipe.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#pending.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, DRAIN_MS);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #toGateway(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) return await this.#request(message);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = (message.params as { requestId?: RequestId } | undefined)?.requestId;
      const waiting = id === undefined ? undefined : this.#pending.get(id);
      // Since protocol version 2026-07-28, closing the HTTP response cancels the request.
      if (id !== undefined && waiting?.modern) {
        this.#complete(id);
        waiting.controller.abort();
        return;
      }
    }
    try {
      await this.#http.send(message);
    } catch (error) {
      this.#log(`Error sending to the gateway: ${describeError(error)}`);
    }
  }

  async #request(message: JSONRPCRequest): Promise<void> {
    const controller = new AbortController();
    this.#pending.set(message.id, { modern: isModern(message), controller });
    if (message.method === 'initialize') this.#handshakes.add(message.id);
    try {
      await this.#http.send(message, {
        requestSignal: controller.signal,
        onRequestStreamEnd: () =>
          void this.#reject(
            message.id,
            CONNECTION_CLOSED,
            'The gateway closed the connection before responding.',
          ),
      });
    } catch (error) {
      if (!controller.signal.aborted) await this.#reject(message.id, ...toJsonRpcError(error));
    }
  }

  async #toClient(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const { id } = message;
      if (id !== undefined && id !== null) {
        if (this.#handshakes.delete(id) && isJSONRPCResultResponse(message))
          this.#setProtocolVersion(message.result);
        await this.#write(message);
        this.#complete(id);
        return;
      }
    }
    await this.#write(message);
  }

  /** Sends the negotiated version as a header with every later message of the session. */
  #setProtocolVersion(result: unknown): void {
    const version = (result as { protocolVersion?: unknown }).protocolVersion;
    if (typeof version === 'string') this.#http.setProtocolVersion(version);
  }

  /** Answers a request that can no longer get a response, so that the client does not hang. */
  async #reject(id: RequestId, code: number, message: string, data?: unknown): Promise<void> {
    if (!this.#pending.has(id)) return;
    this.#handshakes.delete(id);
    await this.#write({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
    this.#complete(id);
  }

  #complete(id: RequestId): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#drained?.();
  }

  async #write(message: JSONRPCMessage): Promise<void> {
    await this.#stdio
      .send(message)
      .catch((error: Error) => this.#log(`Error writing to the client: ${error.message}`));
  }
}

/** Whether a request carries its protocol version, as all do since version 2026-07-28. */
function isModern({ params }: JSONRPCRequest): boolean {
  return typeof params?._meta?.[PROTOCOL_VERSION_META_KEY] === 'string';
}

function toJsonRpcError(error: unknown): [code: number, message: string, data?: unknown] {
  if (!(error instanceof SdkHttpError))
    return [CONNECTION_CLOSED, `Could not reach the gateway: ${describeError(error)}`];
  const body = parseJson(error.data.text);
  const code = error.status === 401 ? UNAUTHORIZED : CONNECTION_CLOSED;
  // Prefer the gateway's own message, including a JSON-RPC error without a request id.
  if (isErrorBody(body)) return [code, `${body.error.message} ${body.error.resolution_hint}`, body.error];
  const inner = (body as { error?: { code?: unknown; message?: unknown; data?: unknown } } | undefined)
    ?.error;
  if (typeof inner?.code === 'number' && typeof inner.message === 'string')
    return [inner.code, inner.message, inner.data];
  return [code, `The gateway responded with status ${error.status}.`, { status: error.status }];
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
