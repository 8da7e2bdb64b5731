import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { ignoreExpectations } from '../../api/dispatch/node-adapter';
import { continueWhenRead } from '../../api/http/continue-when-read';
import { limitPieces } from '../../api/http/limit-body';
import { isMisdirected } from '../../api/http/page-methods';
import { UnreadAnswers } from '../../api/http/unread-answers';
import { GatewayError } from '../../core/errors/gateway-error';
import { COMMON_HEADERS, chooseRequestId } from '../../core/http/headers';
import { errorResponse, type TextResponse, textResponse, writeResponse } from '../../core/http/responses';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { errorCode } from '../../platform/process/boot-error';
import type { Settings } from '../../platform/settings/settings';
import { Connections } from './connections';
import { listen } from './listen';
import type { PageContexts } from './page-contexts';
import { startInOrder } from './pipelining';
import { hasOneHost, parseTarget, type Refusal, type RequestTarget, refuseHeaders } from './request-target';
import '../../kit/process-singleton';

/** Disconnects clients that send headers slowly to hold connections (Slowloris). */
const HEADERS_TIMEOUT_MS = 20_000;
/** For a complete request to arrive, including a large upload. */
const REQUEST_TIMEOUT_MS = 300_000;
/** How often both are enforced; Node's default of 30 s would add to them. */
const CHECK_INTERVAL_MS = 5_000;
/** Longer than the usual 60 s of proxies, so that they close idle connections, not we. */
const KEEP_ALIVE_MS = 65_000;
const PEER_HEADER = 'x-gateway-peer';
const SERVER_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Time limits for clients in milliseconds; shorter in tests. */
export interface FrontTimeouts {
  headers: number;
  request: number;
  check: number;
}

const TIMEOUTS: FrontTimeouts = {
  headers: HEADERS_TIMEOUT_MS,
  request: REQUEST_TIMEOUT_MS,
  check: CHECK_INTERVAL_MS,
};

type Handler = (
  req: IncomingMessage,
  res: ServerResponse,
  target: RequestTarget,
) => Promise<void> | undefined;

/** The HTTP server of the process. */
export interface Front {
  server: Server;
  /** Tracks responses that clients do not read, including those of the dispatcher. */
  readonly unread: UnreadAnswers;
  /** Binds the configured port, or the next free one in a local start without PORT. */
  listen(settings: Settings, explicitPort: boolean): Promise<number>;
  /** Starts answering: API requests by the dispatcher, others by Next. */
  open(next: Handler): void;
  /**
   * Stops accepting connections, because another process does. Serves the open ones on, up to this
   * time, and asks their clients to open others.
   */
  handOver(boundMs: number): Promise<void>;
  /** Stops accepting connections and waits for running requests. */
  drain(): Promise<void>;
}

/** Answers 503 until `open`: the port is bound first, because addresses are derived from it. */
export function createFront(
  log: (message: string) => void,
  timeouts: FrontTimeouts = TIMEOUTS,
  contexts: PageContexts | null = null,
): Front {
  let handler: Handler = answerStarting;
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Checked in `handle`: Node's own 400 has neither a body nor a request id.
      requireHostHeader: false,
    },
    guarded((req: IncomingMessage, res: ServerResponse) => {
      // Writing to a response after it ended emits an error, which would end the process.
      withErrorListener(res);
      if (connections.areHandedOver) res.shouldKeepAlive = false;
      startInOrder(req, res, () => handle(handler, req, res, log));
    }),
  );
  /** The last request of each connection. */
  const asked = new WeakMap<Socket, IncomingMessage>();
  server.on(
    'clientError',
    guarded((error, socket) => answerClientError(error, socket as Socket, asked.get(socket as Socket))),
  );
  ignoreExpectations(server);
  continueWhenRead(server);
  const unread = new UnreadAnswers();
  // Accepting a connection may fail as well, e.g. with too many open files.
  server.on('error', (error) => log(`Failed to accept a connection: ${error.message}`));
  const unused = new Set<Socket>();
  const sockets = new Set<Socket>();
  const connections = new Connections(server, sockets, unused);
  server.on('connection', (socket) => {
    unused.add(socket);
    sockets.add(socket);
    socket.once('close', () => {
      unused.delete(socket);
      sockets.delete(socket);
    });
  });
  server.on('request', (req) => {
    unused.delete(req.socket);
    asked.set(req.socket, req);
  });
  return {
    server,
    unread,
    listen(settings, explicitPort) {
      unread.trustedProxyHops = settings.trustedProxyHops;
      return listen(server, settings, explicitPort, log);
    },
    open(next) {
      handler = (req, res, target) => {
        req.url = target.url;
        const slot = globalThis.__gateway;
        if (slot?.dispatch && (target.kind === 'api' || isMisdirected(req, target.path))) {
          slot.dispatch(req, res);
          return undefined;
        }
        unread.watch(req, res);
        // The dispatcher counts API requests itself, also behind Next.
        if (target.kind !== 'api') slot?.watch?.(req, res);
        // Next does not pass the peer address to its routes. Overwrites the client's own header.
        req.headers[PEER_HEADER] = req.socket.remoteAddress ?? '';
        const made = next(req, res, target);
        return made && contexts ? contexts.follow(res, made) : made;
      };
    },
    handOver: (boundMs) => connections.handOver(boundMs),
    drain: () => connections.drain(),
  };
}

/** Not async: a promise for each request of the dispatcher would be measurable. */
function handle(
  handler: Handler,
  req: IncomingMessage,
  res: ServerResponse,
  log: (message: string) => void,
): void {
  const failed = (error: unknown) => {
    log(`A request failed outside its handler: ${error instanceof Error ? error.stack : String(error)}`);
    if (res.headersSent) res.destroy();
    else sendError(req, res, new GatewayError('INTERNAL'));
  };
  if (!hasOneHost(req)) {
    refuse(req, res, {
      status: 400,
      message: 'This is not a valid HTTP request: it must have one Host header.',
      hint: 'Send one Host header.',
    });
    return;
  }
  if (req.url === '*' && req.method === 'OPTIONS') {
    const requestId = readRequestId(req);
    res.writeHead(204, { Allow: SERVER_METHODS, 'X-Request-Id': requestId, ...COMMON_HEADERS }).end();
    return;
  }
  const target = refuseHeaders(req) ?? parseTarget(req.url ?? '/');
  if ('status' in target) {
    refuse(req, res, target);
    return;
  }
  limitPieces(req, res, () => refuse(req, res, TOO_MANY_PIECES));
  try {
    handler(req, res, target)?.catch(failed);
  } catch (error) {
    failed(error);
  }
}

const TOO_MANY_PIECES: Refusal = {
  status: 400,
  message: 'The body arrives in too many small chunks.',
  hint: 'Send it with a Content-Length, or in chunks of at least 128 bytes.',
};

/** Answers with our Error object, or plain text for a browser. Closes the connection. */
function refuse(req: IncomingMessage, res: ServerResponse, refusal: Refusal): void {
  const headers = { 'X-Request-Id': readRequestId(req), Connection: 'close' };
  const response = req.headers.accept?.includes('text/html')
    ? textResponse(refusal.status, `${refusal.message} ${refusal.hint}`, headers)
    : refusalResponse(refusal, headers);
  writeResponse(res, response);
}

function answerStarting(req: IncomingMessage, res: ServerResponse): undefined {
  const error = new GatewayError('UNAVAILABLE', {
    message: 'The gateway is starting.',
    hint: 'Try again in a second.',
    details: { retry_after: 1 },
  });
  sendError(req, res, error);
}

function sendError(req: IncomingMessage, res: ServerResponse, error: GatewayError): void {
  writeResponse(res, errorResponse(error, { requestId: readRequestId(req), baseUrl: null }));
}

function refusalResponse(
  { status, message, hint }: Refusal,
  headers: { 'X-Request-Id': string; Connection: string },
): TextResponse {
  const error = new GatewayError('INVALID_INPUT', { message, hint });
  return errorResponse(error, { requestId: headers['X-Request-Id'], baseUrl: null, status, headers });
}

function readRequestId({ headers }: IncomingMessage): string {
  return chooseRequestId(headers['x-request-id']);
}

const CORRECT_IT = 'Correct the request and send it again.';
const CLIENT_ERRORS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large.', hint: CORRECT_IT },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time.',
    hint: CORRECT_IT,
  },
};
const MALFORMED: Refusal = { status: 400, message: 'This is not a valid HTTP request.', hint: CORRECT_IT };

/**
 * Answers a request that Node could not parse, on the bare socket, with our Error object.
 * @param asked the last request of the connection: if its body is invalid, it may be answered
 *   already
 */
function answerClientError(
  error: Error,
  socket: Socket & { _httpMessage?: ServerResponse },
  asked: IncomingMessage | undefined,
): void {
  const answer = socket._httpMessage;
  // A client would take a second response for the body of the first one, and a proxy for the
  // response to its next request.
  const isAnswered = answer ? answer.headersSent : asked?.complete === false;
  if (!socket.writable || errorCode(error) === 'ECONNRESET' || isAnswered) {
    socket.destroy();
    return;
  }
  const refusal = CLIENT_ERRORS[errorCode(error) ?? ''] ?? MALFORMED;
  const fixed = { 'X-Request-Id': chooseRequestId(undefined), Connection: 'close' };
  const { status, headers, body } = refusalResponse(refusal, fixed);
  headers['Content-Length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
