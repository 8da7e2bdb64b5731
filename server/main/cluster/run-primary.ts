import cluster, { type Worker } from 'node:cluster';
import { guarded } from '../../kit/guarded';
import { hasLostTerminal } from '../../kit/lost-terminal.mjs';
import { getSettingsFolder } from '../../kit/settings-folder.mjs';
import type { GroupState } from '../../kit/web-process-group';
import { GroupMetrics } from '../../platform/observe/group-metrics';
import { createProcessLog, type ProcessLog, surviveClosedStreams } from '../../platform/observe/process-log';
import type { BootedSettings } from '../../platform/settings/settings';
import { warnOfSettings } from '../../platform/settings/warn-of-settings';
import { type Booted, boot } from '../boot/boot';
import { formatStartError } from '../boot/format-start-error';
import { greeting, isFirstStart } from '../boot/greeting';
import { installLastResort } from '../boot/last-resort';
import { reportReady } from '../boot/report-ready';
import { describeStopping, getScreen } from '../boot/terminal-texts';
import { type ForkedWebProcess, forkWebProcess, type PrimaryHandlers } from './fork-web-process';
import { IPC_MS } from './messages';
import { PortHolder } from './port-holder';
import { rereadEnvironment, withoutUndefined } from './reread-environment';
import { WebProcesses } from './web-processes';

/** Also on a machine that is busy with other work; a start takes seconds. */
const START_MS = 120_000;
/** A web process itself stops after 30 s at the latest. */
const DRAIN_MS = 35_000;
const LOG_FLUSH_MS = 1_000;
const FAILED = 1;
const INTERRUPTED = 130;
/** One Ctrl-C under `npm start` arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface PrimaryOptions {
  root: string;
  count: number;
  /** `performance.now()` at the start. */
  started: number;
}

/**
 * Runs the gateway as several web processes behind one port, until a signal. This process holds the
 * data folder, PostgreSQL and the port, and answers no requests. Never throws.
 */
export async function runPrimary(options: PrimaryOptions): Promise<void> {
  surviveClosedStreams();
  const primary = new Primary(options);
  for (const signal of SIGNALS)
    process.on(
      signal,
      guarded(() => primary.onSignal(signal)),
    );
  if (process.connected)
    process.on(
      'disconnect',
      guarded(() => primary.onSignal('SIGTERM')),
    );
  installLastResort({ log: () => primary.log, end: () => primary.endAfterCrash() });
  await primary.run();
}

class Primary {
  readonly #options: PrimaryOptions;
  readonly #port = new PortHolder();
  #processLog: ProcessLog | null = null;
  #booted: Booted | null = null;
  #processes: WebProcesses | null = null;
  readonly #forked = new Set<ForkedWebProcess>();
  readonly #metrics = new GroupMetrics(() => this.#processes?.readyCount ?? 0);
  #state: GroupState = 'starting';
  #stoppingSince = 0;
  /** Before the boot adds secrets. */
  readonly #env = { ...process.env };
  /** What new web processes get. */
  #webEnv: Record<string, string> = {};

  constructor(options: PrimaryOptions) {
    this.#options = options;
  }

  get #isStopping(): boolean {
    return this.#state === 'stopping';
  }

  get log() {
    return this.#processLog?.log ?? null;
  }

  async run(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      if (this.#isStopping && this.#processes) return;
      process.stderr.write(`\n${formatStartError(error)}\n\n`);
      await this.#end(FAILED);
    }
  }

  async #start(): Promise<void> {
    const { root, count, started } = this.#options;
    const listen = this.#port.open.bind(this.#port);
    this.#booted = await boot({ env: process.env, cwd: getSettingsFolder(root), listen });
    const { settings } = this.#booted;
    if (this.#isStopping) return await this.#end(0);
    this.#webEnv = withoutUndefined(process.env);
    this.#processLog = openLog(settings);
    this.#processes = this.#createProcesses(count);
    for (const event of ['disconnect', 'exit'] as const)
      cluster.on(
        event,
        guarded((worker: Worker) => {
          // Both events come, in any order; WebProcesses hears of the exit first.
          if (worker.isDead() && !worker.isConnected()) setImmediate(() => void this.#holdPort());
        }),
      );
    await this.#processes.start();
    if (this.#isStopping) return;
    this.#setState('ready');
    const first = isFirstStart(settings.dataDir);
    const signInLink = first ? await this.#createSignInLink() : null;
    const seconds = (performance.now() - started) / 1000;
    reportReady({ port: settings.port, reloads: true });
    const screen = getScreen();
    process.stdout.write(`${greeting({ settings, first, signInLink, seconds, processes: count, screen })}\n`);
  }

  #createProcesses(count: number): WebProcesses {
    const log = (this.#processLog as ProcessLog).log;
    return new WebProcesses({
      count,
      log,
      limits: { start: START_MS, drain: DRAIN_MS },
      fork: () => this.#fork(),
      onReplaced: (reason) => this.#metrics.countReplacement(reason),
      onHopeless: guarded(() => {
        log.fatal('web_processes.given_up');
        void this.#end(FAILED);
      }),
    });
  }

  #fork(): ForkedWebProcess {
    const log = (this.#processLog as ProcessLog).log;
    const forked = forkWebProcess(log, this.#env, (self) => this.#createHandlers(self));
    this.#forked.add(forked);
    void forked.ended.then(() => {
      this.#forked.delete(forked);
      this.#metrics.end(forked.pid);
    });
    return forked;
  }

  #createHandlers(self: () => ForkedWebProcess): PrimaryHandlers {
    return {
      readEnvironment: () => ({ env: this.#webEnv, state: this.#state }),
      prepareToListen: () => this.#port.close(),
      requestReplacement: () => void this.#processes?.replace(self()),
      isAnotherReady: async () => {
        const others = this.#serving().filter((other) => other !== self());
        const results = await Promise.allSettled(
          others.map(({ ipc }) => ipc.call('readFailedChecks', IPC_MS)),
        );
        return results.some((result) => result.status === 'fulfilled' && result.value.length === 0);
      },
      collectMetrics: async () => await this.#collectMetrics(),
      saveMetrics: (metrics) => this.#metrics.save(self().pid, metrics),
    };
  }

  #serving(): ForkedWebProcess[] {
    const serving = new Set<unknown>(this.#processes?.serving);
    return [...this.#forked].filter((forked) => serving.has(forked));
  }

  /** A process that does not respond in time counts with its last values. */
  async #collectMetrics(): Promise<string> {
    await Promise.allSettled(
      this.#serving().map(async ({ pid, ipc, ended }) => {
        const metrics = await ipc.call('readMetrics', IPC_MS);
        // Not after its end, which has moved its counters already.
        if (await isPending(ended)) this.#metrics.save(pid, metrics);
      }),
    );
    return await this.#metrics.text();
  }

  async #createSignInLink(): Promise<string | null> {
    const [any] = this.#serving();
    try {
      return (await any?.ipc.call('createSignInLink', START_MS)) ?? null;
    } catch (error) {
      this.log?.error('sign_in_link.failed', { error });
      return null;
    }
  }

  /** If no web process listens any more, Node has freed the port. */
  async #holdPort(): Promise<void> {
    const settings = this.#booted?.settings;
    if (!settings || this.#port.isOpen || this.#isStopping || this.#processes?.readyCount) return;
    await this.#port.open(settings, true).catch((error) => this.log?.error('port.hold_failed', { error }));
  }

  #setState(state: GroupState): void {
    this.#state = state;
    for (const { ipc } of this.#forked) ipc.call('setState', IPC_MS, state).catch(() => undefined);
  }

  onSignal(signal: (typeof SIGNALS)[number]): void {
    if (signal === 'SIGHUP' && !hasLostTerminal()) {
      if (this.#state === 'ready') this.#restartAll();
      return;
    }
    const now = performance.now();
    if (this.#isStopping) {
      if (now - this.#stoppingSince < SAME_SIGNAL_MS) return;
      // A second signal: exit now. PostgreSQL finishes its shutdown alone.
      this.#processes?.killAll();
      this.#booted?.stopNow();
      process.exit(INTERRUPTED);
    }
    this.#stoppingSince = now;
    this.#setState('stopping');
    process.stdout.write(`\n  ${describeStopping(getScreen())}\n`);
    // During the boot, `#start` checks the state after it.
    if (this.#processes) void this.#end(0);
  }

  #restartAll(): void {
    try {
      this.#webEnv = rereadEnvironment(this.#env, process.env, getSettingsFolder(this.#options.root));
    } catch (error) {
      this.log?.error('web_processes.restart_refused', { error });
      return;
    }
    void this.#processes?.restartAll();
  }

  async #end(exitCode: number): Promise<never> {
    let code = exitCode;
    this.#setState('stopping');
    await this.#port.close();
    const delay = exitCode === 0 ? this.#booted?.settings.operation.shutdownDelaySeconds : 0;
    await this.#processes?.stop(delay ?? 0);
    try {
      await this.#booted?.stop();
    } catch (error) {
      code = FAILED;
      this.log?.error('shutdown.postgres_failed', { error });
    }
    await this.#processLog?.sink.flush(LOG_FLUSH_MS);
    process.exit(code);
  }

  /** The web processes end by themselves. PostgreSQL keeps running for a supervisor to adopt. */
  async endAfterCrash(): Promise<never> {
    if (!process.connected) this.#booted?.stopNow();
    await this.#processLog?.sink.flush(LOG_FLUSH_MS);
    process.exit(FAILED);
  }
}

function openLog(settings: BootedSettings): ProcessLog {
  const { operation, production } = settings;
  const readable = !production && process.stderr.isTTY === true;
  const processLog = createProcessLog({ level: operation.logLevel, readable, pid: true });
  globalThis.__gateway = { ...globalThis.__gateway, log: processLog.log };
  warnOfSettings(process.env, settings, processLog.log);
  return processLog;
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
}
