import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProcessLog, type ProcessLog, surviveClosedStreams } from '../observe/process-log';
import { type BootedSettings, SettingsError } from '../settings';
import { likelyTypos } from '../settings-typos';
import { type Booted, boot } from './boot';
import { BootError } from './boot-error';
import { createFront, type Front } from './front';
import { greeting, isFirstStart } from './greeting';
import { PageContexts } from './page-contexts';
import { openPages } from './pages';

/** How long a stop waits for running calls. systemd kills after 90 s; Docker after 10 s unless told otherwise. */
const DRAIN_MS = 25_000;
/** In development nobody waits for a browser's open socket. */
const DRAIN_DEV_MS = 1_000;
const NEXT_CLOSE_MS = 3_000;
const LOG_FLUSH_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const EXIT_BY_SIGNAL = 130;
/** One Ctrl-C under `npm start` arrives twice, from the terminal and from npm: that is not asking again. */
const SAME_SIGNAL_MS = 1_000;

/** What is used of Next's custom server. */
interface NextServer {
  prepare(): Promise<void>;
  close(): Promise<void>;
  getRequestHandler(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

interface ServeOptions {
  root: string;
  dev: boolean;
  /** `performance.now()` when the start began. */
  begun: number;
  /** Makes Next's server; called after NODE_ENV is set, on which React's build depends. */
  makeNext(options: {
    dev: boolean;
    dir: string;
    hostname: string;
    port: number;
    httpServer: Server;
  }): Promise<NextServer>;
}

/** Runs the gateway in this process until a signal ends it. Never throws: a failed start is told, and exits 1. */
export async function serve(options: ServeOptions): Promise<void> {
  surviveClosedStreams();
  const contexts = new PageContexts();
  if (!options.dev) contexts.install();
  const front = createFront((message) => tell(running, message), undefined, contexts);
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
  for (const signal of SIGNALS) process.on(signal, () => onSignal(running));
  try {
    await start(options, running);
  } catch (error) {
    console.error(`\n${forPerson(error)}\n`);
    front.server.closeAllConnections();
    await running.booted?.stop().catch(() => undefined);
    process.exit(1);
  }
  if (running.stopping) await shutDown(running);
  // A bug in one tool must not end everyone's calls; where the state may be broken, the process ends.
  process.on('unhandledRejection', (error) =>
    tell(running, 'a promise was rejected that nobody waited for', error),
  );
  process.on('uncaughtException', (error) => {
    running.processLog?.log.fatal('an error that nobody caught ends the process', { error });
    running.booted?.stopNow();
    process.exit(1);
  });
}

interface Running {
  front: Front;
  /** Null until the settings are read: what comes before is for the person who starts it. */
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
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production' });
  running.next = await makeNext({
    dev,
    dir: root,
    hostname: settings.host,
    port: settings.port,
    // Next listens for upgrades on this server: in development for its hot reload. A built gateway has no upgrades,
    // and with a listener Node would hand it every request that merely offers one (curl --http2): a dummy takes it.
    httpServer: dev ? front.server : createServer(),
  });
  await running.next.prepare();
  if (running.stopping) return;
  const next = running.next.getRequestHandler();
  const { baseUrl, bodyLimitBytes } = settings;
  front.open(await openPages({ root, dev, baseUrl, bodyLimitBytes, next }));
  running.ready = true;
  await wakeInstrumentation(front.server);
  const first = isFirstStart(settings.dataDir);
  const signInLink = first ? await createSignInLink(running) : null;
  const seconds = (performance.now() - begun) / 1000;
  console.log(greeting({ settings, first, signInLink, seconds }));
}

/** The log of the process, which the runtime inside Next's bundle writes to as well. */
function openLog({ operation, production }: BootedSettings): ProcessLog {
  const processLog = createProcessLog({
    level: operation.logLevel,
    readable: !production && process.stderr.isTTY === true,
  });
  globalThis.__gateway = { ...globalThis.__gateway, log: processLog.log };
  for (const { name, meant } of likelyTypos(process.env))
    processLog.log.warn('a setting may be misspelt: it has no effect', { name, meant });
  return processLog;
}

function tell({ processLog }: Running, message: string, error?: unknown): void {
  if (processLog) processLog.log.error(message, { error });
  else console.error(message, ...(error === undefined ? [] : [error]));
}

/**
 * Next runs instrumentation.ts with the first request it gets, not when it is prepared: so we are the first to ask. Not by
 * fetch, which refuses ports that browsers do not go to (6000, 6667, 10080), while PORT may be any.
 */
export async function wakeInstrumentation(server: Server): Promise<void> {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return;
  const own: Record<string, string> = { '::': '::1', '0.0.0.0': '127.0.0.1' };
  const host = own[address.address] ?? address.address;
  await new Promise<void>((resolve, reject) => {
    // A connection for this request alone: a kept one would be one more to drain.
    get({ host, port: address.port, path: '/healthz', agent: false }, (response) => {
      response.once('end', resolve).once('error', reject).resume();
    }).once('error', reject);
  });
}

async function createSignInLink(running: Running): Promise<string | null> {
  try {
    return (await globalThis.__gateway?.createSignInLink?.()) ?? null;
  } catch (error) {
    tell(running, 'no sign-in link could be made', error);
    return null;
  }
}

function onSignal(running: Running): void {
  const now = performance.now();
  if (running.stopping) {
    if (now - running.stoppingSince < SAME_SIGNAL_MS) return;
    // Asked twice: out, at once. PostgreSQL finishes by itself.
    running.booted?.stopNow();
    process.exit(EXIT_BY_SIGNAL);
  }
  running.stopping = true;
  running.stoppingSince = now;
  // While starting, `serve` sees the flag at its next step: a half-made start is never torn apart.
  console.log('\n  Stopping. Once more stops at once.');
  if (running.ready) void shutDown(running);
}

/**
 * Load balancers first, which are told at once and given the time that was set; then calls, then what they need: requests,
 * background work, Next, PostgreSQL, the data folder.
 */
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
      tell(running, `stopping ${what} failed`, error);
    }
  };
  const calls = Promise.all([front.drain(), globalThis.__gateway?.close?.()]);
  await attempt('the running calls', calls, dev ? DRAIN_DEV_MS : DRAIN_MS);
  front.server.closeAllConnections();
  if (next) await attempt('Next', next.close(), NEXT_CLOSE_MS);
  try {
    await booted?.stop();
  } catch (error) {
    exitCode = 1;
    tell(running, 'stopping PostgreSQL failed', error);
  }
  await processLog?.sink.flush(LOG_FLUSH_MS);
  process.exit(exitCode);
}

/** Our own errors are written for a person; of anything else the stack is what helps. */
function forPerson(error: unknown): string {
  if (error instanceof BootError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
