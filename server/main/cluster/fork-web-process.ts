import cluster from 'node:cluster';
import { guarded } from '../../kit/guarded';
import type { Logger } from '../../kit/log';
import { patchInternals } from '../../kit/patch-internals';
import { closeLostConnections } from './close-lost-connections';
import { Ipc } from './ipc';
import { IPC_MS, type PrimaryMethods, type WebProcessMethods } from './messages';
import type { ProcessEnd, WebProcess } from './web-processes';

/** The argument that makes `serve.mjs` a web process of a primary. */
export const WEB_PROCESS_ARGUMENT = '--web-process';
const PING_MS = 10_000;
/** A process that misses so many in a row hangs. Behind one port, /healthz does not show it. */
const MAX_MISSED_PINGS = 6;

/** A web process, with the channel to it. */
export interface ForkedWebProcess extends WebProcess {
  readonly ipc: Ipc<PrimaryMethods, WebProcessMethods>;
}

/** What the primary does for one web process. */
export type PrimaryHandlers = Omit<PrimaryMethods, 'reportReady'>;

/**
 * Forks a web process, which accepts connections at the port of the primary.
 * @param env its environment; it gets the secrets through the channel, because other programs of
 *   the same user can read the environment that a process was started with
 * @param createHandlers creates the methods that the process may call
 */
export function forkWebProcess(
  log: Pick<Logger, 'error'>,
  env: NodeJS.ProcessEnv,
  createHandlers: (self: () => ForkedWebProcess) => PrimaryHandlers,
): ForkedWebProcess {
  cluster.setupPrimary({ args: [WEB_PROCESS_ARGUMENT] });
  // Node adds the present environment; an undefined value removes a variable.
  const worker = cluster.fork({ ...mapValues(process.env, () => undefined), ...env });
  patchInternals('lost_connections', () => closeLostConnections(worker));
  const child = worker.process;
  const ended = new Promise<ProcessEnd>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal: signal as NodeJS.Signals | null }));
    // Without a process there is no exit.
    worker.once('error', (error) => {
      log.error('web_process.fork_failed', { error });
      resolve({ code: null, signal: null });
    });
  });
  let reportReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    reportReady = resolve;
  });
  const handlers = { ...createHandlers(() => self), reportReady: () => reportReady() };
  const ipc = new Ipc<PrimaryMethods, WebProcessMethods>(child, handlers);
  const self: ForkedWebProcess = {
    pid: child.pid ?? 0,
    ready,
    ended,
    ipc,
    drain: (options) => void ipc.call('drain', IPC_MS, options).catch(() => undefined),
    kill: () => void child.kill('SIGKILL'),
  };
  watchLiveness(self, log);
  return self;
}

function mapValues<T>(record: object, map: () => T): Record<string, T> {
  return Object.fromEntries(Object.keys(record).map((name) => [name, map()]));
}

/** Kills a process whose event loop is blocked for a minute. */
function watchLiveness(web: ForkedWebProcess, log: Pick<Logger, 'error'>): void {
  let missed = 0;
  const ping = async () => {
    const isAlive = await web.ipc.call('ping', PING_MS).then(
      () => true,
      () => false,
    );
    missed = isAlive ? 0 : missed + 1;
    if (missed < MAX_MISSED_PINGS) return;
    log.error('web_process.hangs', { webPid: web.pid });
    web.kill();
  };
  const timer = setInterval(
    guarded(() => void ping()),
    PING_MS,
  ).unref();
  void web.ended.then(() => clearInterval(timer));
}
