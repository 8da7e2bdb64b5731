import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectations } from '../../api/dispatch/node-adapter';
import { continueWhenRead } from '../../api/http/continue-when-read';
import { UnreadAnswers } from '../../api/http/unread-answers';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { newId } from '../../kit/ids';
import { BootError, errorCode } from '../../platform/process/boot-error';
import type { Settings } from '../../platform/settings/settings';
import { PageContexts } from './page-contexts';
import { inTurn } from './pipelining';
import { hasOneHost, parseTarget, type Refusal, type RequestTarget, refuseHeaders } from './request-target';
import '../../kit/gateway-slot';

/** Half-sent headers are cut off after this: a slow sender cannot hold connections (Slowloris). */
const HEADERS_TIMEOUT_MS = 20_000;
/** Time for a whole request to arrive, a large upload included. */
const REQUEST_TIMEOUT_MS = 300_000;
/** How often both are enforced; Node's default of 30 s would add to them. */
const CHECK_INTERVAL_MS = 5_000;
/** Longer than the 60 s of the usual proxies: they, not we, close an idle connection. */
const KEEP_ALIVE_MS = 65_000;
const PEER_HEADER = 'x-gateway-peer';
const SERVER_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';
const NEXT_PORTS_TRIED = 50;
const IDLE_SWEEP_MS = 50;

/** How long a client may take, in milliseconds; shorter in tests. */
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

/** The one HTTP server of the process. */
export interface Front {
  server: Server;
  /** What waits for clients that do not read; the dispatcher reports its answers there too. */
  readonly unread: UnreadAnswers;
  /** Binds the port of the settings, or, in a local start that named none, the next free one. */
  listen(settings: Settings, explicitPort: boolean): Promise<number>;
  /** From now on requests are answered: ours by the slot's dispatcher, the others by Next. */
  open(next: Handler): void;
  /** Accepts nothing more and waits for what is running. */
  drain(): Promise<void>;
}

/**
 * Until it is opened it answers 503: the port is bound first, because addresses are derived from
 * it.
 */
export function createFront(
  log: (message: string) => void,
  timeouts: FrontTimeouts = TIMEOUTS,
  contexts = new PageContexts(),
): Front {
  let handler: Handler = answerStarting;
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Refused in `handle`, in our own words: Node's 400 has neither a body nor an id.
      requireHostHeader: false,
    },
    guarded((req: IncomingMessage, res: ServerResponse) => {
      // What is written to a client after its end would otherwise raise, and end the process.
      withErrorListener(res);
      inTurn(req, res, () => handle(handler, req, res, log));
    }),
  );
  /** What each connection asked last. */
  const asked = new WeakMap<Socket, IncomingMessage>();
  server.on(
    'clientError',
    guarded((error, socket) => answerClientError(error, socket as Socket, asked.get(socket as Socket))),
  );
  ignoreExpectations(server);
  continueWhenRead(server);
  const unread = new UnreadAnswers();
  // Accepting a connection may fail, too: too many files are open, say.
  server.on('error', (error) => log(`The server failed to take a connection: ${error.message}`));
  const unused = new Set<Socket>();
  const sockets = new Set<Socket>();
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
        if (target.kind === 'api' && slot?.dispatch) {
          slot.dispatch(req, res);
          return undefined;
        }
        unread.watch(req, res);
        // The API's own requests are counted where they are answered, also when that is behind
        // Next.
        if (target.kind !== 'api') slot?.watch?.(req, res);
        // Next does not tell its routes who connected; a client's own word for it is overwritten.
        req.headers[PEER_HEADER] = req.socket.remoteAddress ?? '';
        const made = next(req, res, target);
        return made && contexts.follow(res, made);
      };
    },
    drain: () => drain(server, sockets, unused),
  };
}

/**
 * Not async: the dispatcher answers by itself, and a promise for each of its requests would be
 * measurable.
 */
function handle(
  handler: Handler,
  req: IncomingMessage,
  res: ServerResponse,
  log: (message: string) => void,
): void {
  const failed = (error: unknown) => {
    log(`A request failed outside its handler: ${error instanceof Error ? error.stack : String(error)}`);
    if (res.headersSent) res.destroy();
    else sendError(res, 500, 'INTERNAL', 'Something went wrong on our side.', 'Try again.');
  };
  if (!hasOneHost(req)) {
    refuse(req, res, {
      status: 400,
      message: 'This is not a valid HTTP request: it must name its host once.',
      hint: 'Send one Host header.',
    });
    return;
  }
  if (req.url === '*' && req.method === 'OPTIONS') {
    res.writeHead(204, { Allow: SERVER_METHODS, 'X-Request-Id': newId('request') }).end();
    return;
  }
  const target = refuseHeaders(req) ?? parseTarget(req.url ?? '/');
  if ('status' in target) {
    refuse(req, res, target);
    return;
  }
  try {
    handler(req, res, target)?.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/**
 * In the Error shape; a browser that asked for a page gets the sentence alone. What follows on the
 * line is not read.
 */
function refuse(req: IncomingMessage, res: ServerResponse, { status, message, hint }: Refusal): void {
  res.setHeader('Connection', 'close');
  if (!req.headers.accept?.includes('text/html')) {
    sendError(res, status, 'INVALID_INPUT', message, hint);
    return;
  }
  const headers = { ...ERROR_HEADERS, 'Content-Type': 'text/plain; charset=UTF-8' };
  res.writeHead(status, { ...headers, 'X-Request-Id': newId('request') }).end(`${message} ${hint}`);
}

function answerStarting(_req: IncomingMessage, res: ServerResponse): undefined {
  res.setHeader('Retry-After', '1');
  sendError(res, 503, 'UNAVAILABLE', 'The gateway is starting.', 'Try again in a second.', 1);
}

function sendError(
  res: ServerResponse,
  status: number,
  code: string,
  message: string,
  hint: string,
  retryAfter?: number,
): void {
  const requestId = newId('request');
  const type = status < 500 ? 'validation' : 'server';
  const error = {
    code,
    message,
    type,
    resolution_hint: hint,
    retry_after: retryAfter,
    request_id: requestId,
  };
  const body = JSON.stringify({ status: 'error', error });
  const length = Buffer.byteLength(body);
  res.writeHead(status, { ...ERROR_HEADERS, 'X-Request-Id': requestId, 'Content-Length': length });
  res.end(body);
}

const ERROR_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

const CLIENT_ERRORS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};
const MALFORMED: [status: string, message: string] = ['400 Bad Request', 'This is not a valid HTTP request.'];

/**
 * What Node could not parse never becomes a request: it is answered on the bare socket, in our
 * Error shape.
 * @param asked the last request of the connection: where its body is what is broken, it may be
 *   answered already
 */
function answerClientError(
  error: Error,
  socket: Socket & { _httpMessage?: ServerResponse },
  asked: IncomingMessage | undefined,
): void {
  const answer = socket._httpMessage;
  // A second answer would be taken for the body of the first, or for the answer to the next request
  // of a proxy.
  const isAnswered = answer ? answer.headersSent : asked?.complete === false;
  if (!socket.writable || errorCode(error) === 'ECONNRESET' || isAnswered) {
    socket.destroy();
    return;
  }
  const [status, message] = CLIENT_ERRORS[errorCode(error) ?? ''] ?? MALFORMED;
  const requestId = newId('request');
  const body = JSON.stringify({
    status: 'error',
    error: {
      code: 'INVALID_INPUT',
      message,
      type: 'validation',
      resolution_hint: 'Correct the request and send it again.',
      request_id: requestId,
    },
  });
  const headers = {
    ...ERROR_HEADERS,
    'X-Request-Id': requestId,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

async function listen(
  server: Server,
  { host, port, production }: Settings,
  explicitPort: boolean,
  log: (message: string) => void,
): Promise<number> {
  const last = production || explicitPort || port === 0 ? port : port + NEXT_PORTS_TRIED;
  for (let candidate = port; ; candidate++) {
    try {
      const bound = await bind(server, host, candidate);
      if (candidate !== port) log(`Port ${port} is busy: using ${bound} instead (set PORT to choose).`);
      return bound;
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE' && candidate < last) continue;
      throw cannotListen(host, candidate, error);
    }
  }
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function cannotListen(host: string, port: number, cause: unknown): BootError {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use by another program: stop that, or set PORT to a free one (0 takes any)`,
    EACCES: `this user may not use port ${port}: set PORT to one above 1023`,
    EADDRNOTAVAIL: `this machine has no address ${host}: set HOST to one it has, such as 127.0.0.1 or 0.0.0.0`,
    ENOTFOUND: `the name ${host} is not known: set HOST to an address of this machine`,
  };
  const reason = reasons[errorCode(cause) ?? ''] ?? String(cause);
  return new BootError(`Cannot listen on ${host}:${port}: ${reason}.`, { cause });
}

/**
 * @param unused connections on which nothing was ever asked: browsers open them ahead, and Node
 *   does not call them idle
 */
async function drain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  unused: ReadonlySet<Socket>,
): Promise<void> {
  if (!server.listening) return;
  let closed = false;
  // Not http's own close, which closes idle connections first.
  NetServer.prototype.close.call(server, () => {
    closed = true;
  });
  // A kept-alive connection counts until it is closed, also one that becomes idle only now.
  while (!closed) {
    // To Node a connection is idle once its answer was handed over, also while most of it still
    // waits to be sent.
    if (![...sockets].some((socket) => socket.writableLength > 0)) server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
    await sleep(IDLE_SWEEP_MS);
  }
}
