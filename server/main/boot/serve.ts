import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { createProcessLog, type ProcessLog, surviveClosedStreams } from '../../platform/observe/process-log';
import { routeConsole } from '../../platform/observe/route-console';
import { BootError } from '../../platform/process/boot-error';
import { type BootedSettings, SettingsError } from '../../platform/settings/settings';
import { findLikelyTypos } from '../../platform/settings/settings-typos';
import { type Booted, boot } from './boot';
import { createFront, type Front } from './front';
import { greeting, isFirstStart } from './greeting';
import { installLastResort } from './last-resort';
import { PageContexts } from './page-contexts';
import { openPages } from './pages';

/**
 * How long a stop waits for running calls. systemd kills after 90 s, Docker after 10 s by default.
 */
const DRAIN_MS = 25_000;
/** In development, do not wait for a browser's open connections. */
const DRAIN_DEV_MS = 1_000;
const NEXT_CLOSE_MS = 3_000;
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

interface ServeOptions {
  root: string;
  dev: boolean;
  /** `performance.now()` at the start. */
  begun: number;
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
  const contexts = new PageContexts();
  if (!options.dev) contexts.install();
  const front = createFront((message) => logError(running, message), undefined, contexts);
  const running: Running = {
    front,
    processLog: null,
    dev: options.dev,
    booted: null,
    next: null,
    ready: false,
    stopping: false,
    stoppingSince: 0,
  };
  for (const signal of SIGNALS)
    process.on(
      signal,
      guarded(() => onSignal(running)),
    );
  installLastResort({ log: () => running.processLog?.log ?? null, end: () => endAfterCrash(running) });
  // Without its supervisor this process cannot be restarted or stopped, so it exits.
  if (process.connected)
    process.on(
      'disconnect',
      guarded(() => onSignal(running)),
    );
  try {
    await start(options, running);
  } catch (error) {
    // Not with console, which may write to the log already: this is for the person at the terminal.
    process.stderr.write(`\n${formatError(error)}\n\n`);
    front.server.closeAllConnections();
    await running.booted?.stop().catch(() => undefined);
    process.exit(1);
  }
  // Once ready, the signal handler itself has started the shutdown.
  if (running.stopping && !running.ready) await shutDown(running);
}

interface Running {
  front: Front;
  /** Null until the settings are read; earlier messages are for the person at the terminal. */
  processLog: ProcessLog | null;
  dev: boolean;
  booted: Booted | null;
  next: NextServer | null;
  ready: boolean;
  stopping: boolean;
  stoppingSince: number;
}

async function start({ root, dev, begun, makeNext }: ServeOptions, running: Running): Promise<void> {
  const { front } = running;
  running.booted = await boot({ env: process.env, cwd: root, listen: front.listen });
  if (running.stopping) return;
  const { settings } = running.booted;
  running.processLog = openLog(settings);
  globalThis.__gateway = { ...globalThis.__gateway, unread: front.unread };
  // In development the console is for the developer.
  if (!dev) routeConsole(running.processLog.log);
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
  await triggerInstrumentation(front.server);
  if (!dev) {
    await warmPages(front.server);
    collectGarbage();
  }
  if (running.stopping) return;
  const first = isFirstStart(settings.dataDir);
  const signInLink = first ? await createSignInLink(running) : null;
  const seconds = (performance.now() - begun) / 1000;
  process.stdout.write(`${greeting({ settings, first, signInLink, seconds })}\n`);
  // To the supervisor of `npm start`, if there is one.
  process.send?.({ ready: { port: settings.port } }, () => undefined);
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
function openLog({ operation, production }: BootedSettings): ProcessLog {
  const processLog = createProcessLog({
    level: operation.logLevel,
    readable: !production && process.stderr.isTTY === true,
  });
  globalThis.__gateway = { ...globalThis.__gateway, log: processLog.log };
  for (const { name, meant } of findLikelyTypos(process.env))
    processLog.log.warn('settings.possible_typo', { name, meant });
  return processLog;
}

function logError({ processLog }: Running, message: string, error?: unknown): void {
  if (processLog) processLog.log.error(message, { error });
  else console.error(message, ...(error === undefined ? [] : [error]));
}

/**
 * Sends the first request, on which Next runs instrumentation.ts. Not with fetch, which refuses
 * ports that browsers block (6000, 6667, 10080), while PORT may be any.
 */
export async function triggerInstrumentation(server: Server): Promise<void> {
  await request(server, '/healthz');
}

/** Optional: the start does not fail, or wait long, if a page fails or the database is slow. */
async function warmPages(server: Server): Promise<void> {
  const pages = Promise.allSettled(WARM_PATHS.map((path) => request(server, path)));
  await Promise.race([pages, sleep(WARM_LIMIT_MS)]);
}

/** Otherwise the garbage of the start is collected during the first requests, for 0.1 s. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('globalThis.gc')?.();
  setFlagsFromString('--no-expose-gc');
}

async function request(server: Server, path: string): Promise<void> {
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
  running.stopping = true;
  running.stoppingSince = now;
  // During the start, `serve` checks the flag after each step, so no step is interrupted.
  process.stdout.write('\n  Stopping… Press Ctrl-C again to quit now.\n');
  if (running.ready) void shutDown(running);
}

/** Stops in order: readiness, then calls and requests, background work, Next, PostgreSQL, lock. */
async function shutDown(running: Running): Promise<never> {
  const { front, dev, next, booted, processLog } = running;
  let exitCode = 0;
  globalThis.__gateway?.leave?.();
  await sleep((booted?.settings.operation.shutdownDelaySeconds ?? 0) * 1000);
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

/** Our own errors are written for people; for others the stack helps. */
function formatError(error: unknown): string {
  if (error instanceof BootError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
