import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { patchInternals } from '../../kit/patch-internals';
import { getSettingsFolder } from '../../kit/settings-folder.mjs';
import type { WebProcessGroup } from '../../kit/web-process-group';
import { createProcessLog, type ProcessLog, surviveClosedStreams } from '../../platform/observe/process-log';
import { routeConsole } from '../../platform/observe/route-console';
import type { BootedSettings } from '../../platform/settings/settings';
import { warnOfSettings } from '../../platform/settings/warn-of-settings';
import { type Booted, boot } from './boot';
import { formatStartError } from './format-start-error';
import { createFront, type Front } from './front';
import { greeting, isFirstStart } from './greeting';
import { installLastResort } from './last-resort';
import { PageContexts } from './page-contexts';
import { openPages } from './pages';
import { reportReady } from './report-ready';
import { describeStopping, getScreen } from './terminal-texts';

/**
 * How long a stop waits for running calls. systemd kills after 90 s, Docker after 10 s by default.
 */
const DRAIN_MS = 25_000;
/** In development, do not wait for a browser's open connections. */
const DRAIN_DEV_MS = 1_000;
const NEXT_CLOSE_MS = 3_000;
/** Longer than a busy client leaves its connection idle. */
const HAND_OVER_MS = 2_000;
const NOW = { delaySeconds: 0 };
const LOG_FLUSH_MS = 1_000;
/** Time for almost complete responses after an uncaught exception; the state may be corrupt. */
const CRASH_MS = 500;
/** Rendered before the gateway is ready: the first page blocks the event loop for 0.1 to 0.4 s. */
const WARM_PATHS = ['/', '/sign-in'];
const WARM_LIMIT_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const EXIT_BY_SIGNAL = 130;
/** One Ctrl-C under `npm start` arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;

/** The parts of Next's custom server in use. */
interface NextServer {
  prepare(): Promise<void>;
  close(): Promise<void>;
  getRequestHandler(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

export interface StopOptions {
  /** How long everything is still served. */
  delaySeconds: number;
  /** Whether other web processes take the connections of this one. */
  handOver?: boolean;
}

/** What a web process does through its primary, if it is one of several behind one port. */
export interface Membership {
  readonly group: WebProcessGroup;
  /** Gets the environment from the primary, which has booted. */
  boot(): Promise<Booted>;
  /** Starts to accept connections once this process passes its checks. */
  join(listen: () => Promise<number>): Promise<void>;
  onDrain(listener: (options: StopOptions) => void): void;
  /** Asks to be drained once another process has replaced this one. */
  requestReplacement(): Promise<void>;
  /** Leaves the counters of this process to the primary. */
  leave(): Promise<void>;
}

export interface ServeOptions {
  root: string;
  dev: boolean;
  /** `performance.now()` at the start. */
  started: number;
  /** Null if this is the only web process at its port. */
  membership: Membership | null;
  /** Creates Next's server, after NODE_ENV is set, because React's build depends on it. */
  makeNext(options: {
    dev: boolean;
    dir: string;
    hostname: string;
    port: number;
    httpServer: Server;
  }): Promise<NextServer>;
}

/**
 * Runs the gateway in this process until a signal. Never throws: a failed start prints and exits 1.
 */
export async function serve(options: ServeOptions): Promise<void> {
  surviveClosedStreams();
  const contexts = !options.dev && PageContexts.areCostly ? new PageContexts() : null;
  contexts?.install();
  const front = createFront((message) => logError(running, message), undefined, contexts);
  const running: Running = {
    front,
    processLog: null,
    dev: options.dev,
    membership: options.membership,
    booted: null,
    next: null,
    ready: false,
    stopping: false,
    stoppingSince: 0,
  };
  if (options.membership) obeyPrimary(running, options.membership);
  else
    for (const signal of SIGNALS)
      process.on(
        signal,
        guarded(() => onSignal(running)),
      );
  installLastResort({ log: () => running.processLog?.log ?? null, end: () => endAfterCrash(running) });
  // Without its supervisor or primary this process cannot be restarted or stopped, so it exits.
  if (process.connected)
    process.on(
      'disconnect',
      guarded(() => (options.membership ? stop(running, NOW) : onSignal(running))),
    );
  try {
    await start(options, running);
  } catch (error) {
    // Not with console, which may write to the log already: this is for the person at the terminal.
    process.stderr.write(`\n${formatStartError(error)}\n\n`);
    front.server.closeAllConnections();
    await running.booted?.stop().catch(() => undefined);
    process.exit(1);
  }
  // Once ready, the signal handler itself has started the shutdown.
  if (running.stopping && !running.ready) await shutDown(running, NOW);
}

interface Running {
  front: Front;
  /** Null until the settings are read; earlier messages are for the person at the terminal. */
  processLog: ProcessLog | null;
  dev: boolean;
  membership: Membership | null;
  booted: Booted | null;
  next: NextServer | null;
  ready: boolean;
  stopping: boolean;
  stoppingSince: number;
}

async function start(
  { root, dev, started, membership, makeNext }: ServeOptions,
  running: Running,
): Promise<void> {
  const { front } = running;
  running.booted = membership
    ? await membership.boot()
    : await boot({ env: process.env, cwd: getSettingsFolder(root), listen: front.listen });
  if (running.stopping) return;
  const { settings } = running.booted;
  running.processLog = openLog(settings, membership !== null);
  const group = membership?.group;
  globalThis.__gateway = { ...globalThis.__gateway, unread: front.unread, ...(group ? { group } : {}) };
  // In development the console is for the developer.
  if (!dev) routeConsole(running.processLog.log, () => running.stopping);
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production' });
  running.next = await makeNext({
    dev,
    dir: root,
    hostname: settings.host,
    port: settings.port,
    // Next listens for upgrades on this server, in development for hot reload. A built gateway gets
    // a dummy: with an upgrade listener, Node passes every request that offers one (curl --http2)
    // to it.
    httpServer: dev ? front.server : withErrorListener(createServer()),
  });
  await dropListenersAddedBy(() => running.next?.prepare(), dev);
  if (running.stopping) return;
  const next = running.next.getRequestHandler();
  front.open(await openPages({ ...settings, root, dev, next }));
  running.ready = true;
  await warmUp(front.server, membership !== null, dev);
  if (running.stopping) return;
  if (membership) {
    await membership.join(() => front.listen(settings, true));
    return;
  }
  const first = isFirstStart(settings.dataDir);
  const signInLink = first ? await createSignInLink(running) : null;
  const seconds = (performance.now() - started) / 1000;
  reportReady({ port: settings.port });
  process.stdout.write(`${greeting({ settings, first, signInLink, seconds, screen: getScreen() })}\n`);
}

/** Removes Next's listener, which logs an uncaught exception a second time, not as JSON. */
async function dropListenersAddedBy(prepare: () => Promise<void> | undefined, dev: boolean): Promise<void> {
  const ours = process.listeners('uncaughtException');
  await prepare();
  if (dev) return;
  for (const listener of process.listeners('uncaughtException'))
    if (!ours.includes(listener)) process.off('uncaughtException', listener);
}

/** Creates the log of the process, also used by the runtime inside Next's bundle. */
function openLog(settings: BootedSettings, isMember: boolean): ProcessLog {
  const { operation, production } = settings;
  const processLog = createProcessLog({
    level: operation.logLevel,
    readable: !production && process.stderr.isTTY === true,
    pid: isMember,
  });
  globalThis.__gateway = { ...globalThis.__gateway, log: processLog.log };
  // Of several web processes, the primary warns.
  if (!isMember) warnOfSettings(process.env, settings, processLog.log);
  return processLog;
}

function logError({ processLog }: Running, message: string, error?: unknown): void {
  if (processLog) processLog.log.error(message, { error });
  else console.error(message, ...(error === undefined ? [] : [error]));
}

/** A member of a group must not accept requests yet, so it is warmed through a port of its own. */
async function warmUp(server: Server, isMember: boolean, dev: boolean): Promise<void> {
  const entrance = isMember ? await openEntrance(server) : server;
  await triggerInstrumentation(entrance);
  globalThis.__gateway?.begin?.();
  if (!dev) await warmPages(entrance);
  if (entrance !== server) entrance.close();
  if (!dev) collectGarbage();
}

/** Opens a port on loopback whose connections the server handles. */
async function openEntrance(server: Server): Promise<NetServer> {
  const entrance = withErrorListener(
    createNetServer(guarded((socket) => server.emit('connection', withErrorListener(socket)))),
  );
  // Exclusive: in a cluster, the web processes would otherwise share the port.
  await new Promise<void>((resolve, reject) => {
    entrance.once('error', reject);
    entrance.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  return entrance;
}

/**
 * Sends the first request, on which Next runs instrumentation.ts. Not with fetch, which refuses
 * ports that browsers block (6000, 6667, 10080), while PORT may be any.
 */
export async function triggerInstrumentation(server: NetServer): Promise<void> {
  await request(server, '/healthz');
}

/** Optional: the start does not fail, or wait long, if a page fails or the database is slow. */
async function warmPages(server: NetServer): Promise<void> {
  const limit = sleep(WARM_LIMIT_MS);
  // Rendering blocks the event loop, and connections being opened would reach their time limits.
  await Promise.race([request(server, '/readyz').catch(() => undefined), limit]);
  await Promise.race([Promise.allSettled(WARM_PATHS.map((path) => request(server, path))), limit]);
}

/** Otherwise the garbage of the start is collected during the first requests, for 0.1 s. */
function collectGarbage(): void {
  patchInternals('garbage_collector', () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('globalThis.gc')();
    setFlagsFromString('--no-expose-gc');
  });
}

async function request(server: NetServer, path: string): Promise<void> {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return;
  const own: Record<string, string> = { '::': '::1', '0.0.0.0': '127.0.0.1' };
  const host = own[address.address] ?? address.address;
  await new Promise<void>((resolve, reject) => {
    // No keep-alive: the connection would have to be drained.
    get({ host, port: address.port, path, agent: false }, (response) => {
      response.once('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}

async function createSignInLink(running: Running): Promise<string | null> {
  try {
    return (await globalThis.__gateway?.createSignInLink?.()) ?? null;
  } catch (error) {
    logError(running, 'sign_in_link.failed', error);
    return null;
  }
}

function onSignal(running: Running): void {
  const now = performance.now();
  if (running.stopping) {
    if (now - running.stoppingSince < SAME_SIGNAL_MS) return;
    // A second signal: exit now. PostgreSQL finishes its shutdown alone.
    running.booted?.stopNow();
    process.exit(EXIT_BY_SIGNAL);
  }
  process.stdout.write(`\n  ${describeStopping(getScreen())}\n`);
  globalThis.__gateway?.leave?.();
  stop(running, { delaySeconds: running.booted?.settings.operation.shutdownDelaySeconds ?? 0 });
}

/** During the start, `serve` checks the flag after each step, so no step is interrupted. */
function stop(running: Running, options: StopOptions): void {
  if (running.stopping) return;
  running.stopping = true;
  running.stoppingSince = performance.now();
  if (running.ready) void shutDown(running, options);
}

/** The primary decides when a web process stops. Ctrl-C at a terminal reaches both. */
function obeyPrimary(running: Running, membership: Membership): void {
  membership.onDrain((options) => stop(running, options));
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  process.on(
    'SIGTERM',
    guarded(() => void membership.requestReplacement().catch(() => stop(running, NOW))),
  );
}

/** Stops in order: readiness, then calls and requests, background work, Next, PostgreSQL, lock. */
async function shutDown(running: Running, { delaySeconds, handOver }: StopOptions): Promise<never> {
  const { front, dev, next, booted, processLog, membership } = running;
  let exitCode = 0;
  await sleep(delaySeconds * 1000);
  if (handOver) await front.handOver(HAND_OVER_MS);
  const attempt = async (what: string, work: Promise<unknown>, limitMs: number) => {
    try {
      await Promise.race([work, sleep(limitMs)]);
    } catch (error) {
      exitCode = 1;
      logError(running, `shutdown.${what}_failed`, error);
    }
  };
  const calls = Promise.all([front.drain(), globalThis.__gateway?.close?.()]);
  await attempt('calls', calls, dev ? DRAIN_DEV_MS : DRAIN_MS);
  front.server.closeAllConnections();
  if (next) await attempt('next', next.close(), NEXT_CLOSE_MS);
  await membership?.leave().catch(() => undefined);
  try {
    await booted?.stop();
  } catch (error) {
    exitCode = 1;
    logError(running, 'shutdown.postgres_failed', error);
  }
  await processLog?.sink.flush(LOG_FLUSH_MS);
  process.exit(exitCode);
}

/** Finishes almost complete responses. PostgreSQL keeps running if a supervisor will adopt it. */
async function endAfterCrash({ front, booted, processLog }: Running): Promise<never> {
  const drained = Promise.all([front.drain(), globalThis.__gateway?.close?.()]);
  await Promise.race([drained.catch(() => undefined), sleep(CRASH_MS)]);
  if (!process.connected) booted?.stopNow();
  await processLog?.sink.flush(LOG_FLUSH_MS);
  process.exit(1);
}
