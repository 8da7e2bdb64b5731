import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ChunkLimit } from '../../kit/chunk-limit';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { toOutboundError } from './outbound-failure';
import type { OutboundGuard } from './outbound-guard';
import { MAX_INFORMATIONAL } from './send-request';

/** How much the pages of one call may load in total. */
const MAX_BYTES = 200 * 1024 * 1024;
const IDLE_MS = 60_000;
/** Headers that apply to a single connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** One call's access to the proxy, by its username and password. */
export interface ProxySession {
  readonly username: string;
  readonly password: string;
  /** The number of refused requests. */
  refused(): number;
  /** Why requests to a host were refused. The host includes a non-default port. */
  findRefusal(host: string): string | undefined;
  /** Closes all connections of the session. */
  close(): void;
}

class Session implements ProxySession {
  readonly username = randomBytes(9).toString('hex');
  readonly password = randomBytes(18).toString('hex');
  readonly #refusals = new Map<string, string>();
  readonly #sockets = new Set<Duplex>();
  readonly #onClose: () => void;
  #refused = 0;
  #bytes = 0;
  readonly #chunks = new ChunkLimit();
  #closed = false;

  constructor(onClose: (session: Session) => void) {
    this.#onClose = () => onClose(this);
  }

  get closed(): boolean {
    return this.#closed;
  }

  refused(): number {
    return this.#refused;
  }

  findRefusal(host: string): string | undefined {
    return this.#refusals.get(host);
  }

  refuse(host: string, error: unknown): void {
    this.#refused += 1;
    this.#refusals.set(host, toOutboundError(error, host).message);
  }

  /** Counts the incoming bytes of a connection, and closes it with the session. */
  track(socket: Duplex, incoming: Duplex | IncomingMessage): void {
    if (!this.#sockets.has(socket)) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    const count = (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#chunks.isExceededBy(chunk.length) || this.#bytes > MAX_BYTES) this.close();
    };
    incoming.on('data', guarded(count));
  }

  close(): void {
    this.#closed = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#onClose();
  }
}

/**
 * A forward proxy on loopback for all requests of the browser, so that each passes the guard:
 * pages, frames, images, redirects, sockets. It connects to the addresses that were checked.
 */
export class BrowserProxy {
  readonly #guard: OutboundGuard;
  readonly #server: Server;
  readonly #sessions = new Map<string, Session>();
  #port: Promise<number> | undefined;

  constructor(guard: OutboundGuard) {
    this.#guard = guard;
    this.#server = withErrorListener(
      createServer((request, response) => {
        this.#forward(request, withErrorListener(response)).catch(() => response.destroy());
      }),
    );
    this.#server.on('connect', (request, socket, head) => {
      this.#tunnel(request, withErrorListener(socket), head).catch(() => socket.destroy());
    });
    this.#server.on('upgrade', (_, socket) => socket.destroy());
    this.#server.on('clientError', (_, socket) => socket.destroy());
    this.#server.unref();
  }

  /** Starts to listen on 127.0.0.1 and returns the port. */
  listen(): Promise<number> {
    this.#port ??= new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      // Exclusive: in a cluster, web processes would otherwise share the port and its connections.
      this.#server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () =>
        resolve((this.#server.address() as AddressInfo).port),
      );
    });
    return this.#port;
  }

  open(): ProxySession {
    const session = new Session(() => this.#sessions.delete(session.username));
    this.#sessions.set(session.username, session);
    return session;
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) session.close();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    withErrorListener(request);
    const session = this.#findSession(request.headers);
    if (!session) {
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="browser"' }).end();
      return;
    }
    const text = request.url ?? '';
    const url = URL.canParse(text) ? new URL(text) : null;
    try {
      if (url?.protocol !== 'http:') throw new Error('Not an http address');
      this.#guard.checkUrl(url);
      const lookup = fixedLookup(await this.#guard.resolve(url.hostname, Number(url.port) || 80));
      // If the client left during the lookup, nothing would ever close a new connection.
      if (session.closed || response.destroyed) return void request.socket.destroy();
      const onward = httpRequest(
        {
          host: stripBrackets(url.hostname),
          port: Number(url.port) || 80,
          lookup,
          method: request.method,
          path: url.pathname + url.search,
          headers: endToEnd(request.headers),
          timeout: IDLE_MS,
          agent: false,
        },
        (answer) => {
          answer.on('error', () => response.destroy());
          // An unrequested upgrade: without an Upgrade header, Node treats it as a response.
          if (answer.statusCode === 101) return void response.destroy();
          try {
            session.track(response.socket ?? answer.socket, answer);
            // Node can receive a status that it cannot send, such as 099.
            response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
            answer.pipe(response);
          } catch {
            response.destroy();
          }
        },
      );
      onward.on('error', () => response.destroy()).on('timeout', () => onward.destroy());
      // Otherwise a 101 response would end the request without an error.
      onward.on('upgrade', () => response.destroy());
      let informational = 0;
      onward.on('information', () => {
        informational += 1;
        if (informational > MAX_INFORMATIONAL) onward.destroy();
      });
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    } catch (error) {
      session.refuse(url?.host ?? '', error);
      // No response at all, so that the browser does not render our text as a page.
      request.socket.destroy();
    }
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const session = this.#findSession(request.headers);
    if (!session) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="browser"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const text = `https://${request.url ?? ''}`;
    const url = URL.canParse(text) ? new URL(text) : null;
    try {
      if (!url) throw new Error('No host');
      this.#guard.checkUrl(url);
      const port = Number(url.port) || 443;
      const lookup = fixedLookup(await this.#guard.resolve(url.hostname, port));
      if (session.closed || socket.destroyed) return void socket.destroy();
      const onward = connect({ host: stripBrackets(url.hostname), port, lookup });
      session.track(socket, onward);
      pair(socket, onward, head);
    } catch (error) {
      session.refuse(url?.host ?? '', error);
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    }
  }

  #findSession({ 'proxy-authorization': authorization = '' }: IncomingHttpHeaders): Session | null {
    const encoded = /^Basic ([A-Za-z0-9+/=]{1,200})$/.exec(authorization)?.[1] ?? '';
    const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
    const session = this.#sessions.get(username);
    if (!session || password.length !== session.password.length) return null;
    return timingSafeEqual(Buffer.from(password, 'latin1'), Buffer.from(session.password, 'latin1'))
      ? session
      : null;
  }
}

function pair(socket: Duplex, onward: Socket, head: Buffer): void {
  onward.setTimeout(IDLE_MS, () => onward.destroy());
  const onConnect = () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) onward.write(head);
    onward.pipe(socket);
    socket.pipe(onward);
  };
  onward.once('connect', guarded(onConnect));
  onward.on('error', () => socket.destroy());
  onward.on('close', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

function endToEnd(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP.has(name) || named.includes(name) ? [] : [[name, value]],
    ),
  );
}

function fixedLookup(addresses: { address: string; family: number }[]): LookupFunction {
  return (_, { all }, done) => {
    const [first] = addresses;
    if (!first) return done(new Error('Nothing to connect to'), '', 4);
    if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };
}

function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
