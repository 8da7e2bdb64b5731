import cluster from 'node:cluster';
import { guarded } from '../../kit/guarded';
import { HEARTBEAT_MS, Liveness } from '../../kit/liveness.mjs';
import type { Logger } from '../../kit/log';
import { patchInternals } from '../../kit/patch-internals';
import { closeLostConnections } from './close-lost-connections';
import { Ipc } from './ipc';
import { IPC_MS, type PrimaryMethods, type WebProcessMethods } from './messages';
import type { ProcessEnd, WebProcess } from './web-processes';

/** The argument that makes `serve.mjs` a web process of a primary. */
export const WEB_PROCESS_ARGUMENT = '--web-process';

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

/** Kills a process that hangs: behind one port, /healthz does not show it. */
function watchLiveness(web: ForkedWebProcess, log: Pick<Logger, 'error'>): void {
  const liveness = new Liveness();
  const ping = async () => {
    const isAlive = await web.ipc.call('ping', HEARTBEAT_MS).then(
      () => true,
      () => false,
    );
    liveness.record(isAlive);
    if (!liveness.isHung) return;
    log.error('web_process.hangs', { webPid: web.pid });
    web.kill();
  };
  const timer = setInterval(
    guarded(() => void ping()),
    HEARTBEAT_MS,
  ).unref();
  void web.ended.then(() => clearInterval(timer));
}
