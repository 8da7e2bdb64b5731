import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../settings';
import { BootError, errorCode } from './boot-error';
import '../gateway-slot';

/** Half-sent headers are cut off after this: a slow sender cannot hold connections (Slowloris). */
const HEADERS_TIMEOUT_MS = 20_000;
/** Time for a whole request to arrive, a large upload included. */
const REQUEST_TIMEOUT_MS = 300_000;
/** How often both are enforced; Node's default of 30 s would add to them. */
const CHECK_INTERVAL_MS = 5_000;
/** Longer than the 60 s of the usual proxies: they, not we, close an idle connection. */
const KEEP_ALIVE_MS = 65_000;
const PEER_HEADER = 'x-gateway-peer';
const NEXT_PORTS_TRIED = 50;
const IDLE_SWEEP_MS = 50;

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void> | undefined;

/** The one HTTP server of the process. */
export interface Front {
  server: Server;
  /** Binds the port of the settings, or, in a local start that named none, the next free one. */
  listen(settings: Settings, explicitPort: boolean): Promise<number>;
  /** From now on requests are answered: ours by the slot's dispatcher, the others by Next. */
  open(next: Handler): void;
  /** Accepts nothing more and waits for what is running. */
  drain(): Promise<void>;
}

/** Until it is opened it answers 503: the port is bound first, because addresses are derived from it. */
export function createFront(log: (message: string) => void): Front {
  let handler: Handler = answerStarting;
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (req, res) => handle(handler, req, res, log),
  );
  server.on('clientError', answerClientError);
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
  server.on('request', (req) => unused.delete(req.socket));
  return {
    server,
    listen: (settings, explicitPort) => listen(server, settings, explicitPort, log),
    open(next) {
      handler = (req, res) => {
        const dispatch = isFrontPath(req.url ?? '/') ? globalThis.__gateway?.dispatch : undefined;
        if (dispatch) {
          dispatch(req, res);
          return undefined;
        }
        // Next does not tell its routes who connected; a client's own word for it is overwritten.
        req.headers[PEER_HEADER] = req.socket.remoteAddress ?? '';
        return next(req, res);
      };
    },
    drain: () => drain(server, sockets, unused),
  };
}

/** Paths that are answered before Next. */
export function isFrontPath(url: string): boolean {
  const query = url.indexOf('?');
  let path = query === -1 ? url : url.slice(0, query);
  // A proxy's absolute form: GET http://host/v1/tools
  if (path[0] !== '/') path = path.replace(/^https?:\/\/[^/]*/i, '');
  // Any version: an unknown one is refused as the API refuses, not with a page.
  return (
    /^\/(v\d+(\/|$)|files\/)/.test(path) ||
    path === '/openapi.json' ||
    path === '/mcp' ||
    path === '/healthz' ||
    /^\/(\.well-known\/oauth-|oauth\/(register|token|revoke)$)/.test(path) ||
    // Of the dashboard only its uploads: Next would keep their bytes in memory on their way.
    path === '/dashboard/assets/upload'
  );
}

/** Not async: the dispatcher answers by itself, and a promise for each of its requests would be measurable. */
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
  try {
    handler(req, res)?.catch(failed);
  } catch (error) {
    failed(error);
  }
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
  const error = { code, message, type: 'server', resolution_hint: hint, retry_after: retryAfter };
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify({ status: 'error', error }));
}

const CLIENT_ERRORS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};
const MALFORMED: [status: string, message: string] = ['400 Bad Request', 'This is not a valid HTTP request.'];

/** What Node could not parse never becomes a request: it is answered on the bare socket, in our Error shape. */
function answerClientError(error: Error, socket: Socket & { _httpMessage?: { headersSent: boolean } }): void {
  // In the middle of an answer a second status line would be taken for its body.
  if (!socket.writable || errorCode(error) === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, message] = CLIENT_ERRORS[errorCode(error) ?? ''] ?? MALFORMED;
  const body = JSON.stringify({
    status: 'error',
    error: {
      code: 'INVALID_INPUT',
      message,
      type: 'validation',
      resolution_hint: 'Mend the request and send it again.',
    },
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
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

/** @param unused connections on which nothing was ever asked: browsers open them ahead, and Node does not call them idle */
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
    // To Node a connection is idle once its answer was handed over, also while most of it still waits to be sent.
    if (![...sockets].some((socket) => socket.writableLength > 0)) server.closeIdleConnections();
    for (const socket of unused) socket.destroy();
    await sleep(IDLE_SWEEP_MS);
  }
}
