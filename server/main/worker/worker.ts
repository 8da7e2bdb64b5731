import type { Server } from 'node:http';
import { createProcessLog, type ProcessLog, surviveClosedStreams } from '../../platform/observe/process-log';
import { BootError } from '../../platform/process/boot-error';
import type { BootedSettings } from '../../platform/settings/settings';
import { boot } from '../boot/boot';
import { formatStartError } from '../boot/format-start-error';
import { installLastResort } from '../boot/last-resort';
import { describeStop, describeStopping, getScreen } from '../boot/terminal-texts';
import { startProbeServer } from '../observe/probe-server';
import { closeProcess, type StartedRuntime, startRuntime } from '../start-runtime';

/** How long a stop waits for running calls; the rest is then requeued or ended. */
const DRAIN_MS = 20_000;
const LOG_FLUSH_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const FAILED = 1;
const INTERRUPTED = 130;
/** One Ctrl-C under npm arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;

interface WorkerOptions {
  env: NodeJS.ProcessEnv;
  /** The base of relative folders and the location of `.env`. */
  cwd: string;
  report(line: string): void;
}

/**
 * Runs queued calls next to the gateway, on its database, until a signal. Never throws.
 * @returns the exit code
 */
export async function runWorker({ env, cwd, report }: WorkerOptions): Promise<number> {
  surviveClosedStreams();
  try {
    const { settings } = await boot({ env, cwd, mode: 'worker', log: report });
    if (settings.jobs === 'off')
      throw new BootError('JOBS=off: this gateway queues no calls, so a worker has nothing to do.');
    const processLog = openLog(settings);
    const { log } = processLog;
    const started = startRuntime({ settings, log, role: 'worker' });
    globalThis.__gateway = { ...globalThis.__gateway, log };
    installLastResort({
      log: () => log,
      async end() {
        await processLog.sink.flush(LOG_FLUSH_MS);
        process.exit(FAILED);
      },
    });
    const probes = await openProbes(started, settings);
    report(
      `Worker ready: up to ${settings.jobConcurrency} queued calls at once. ${describeStop(getScreen(process.stderr))}`,
    );
    await untilStopped(started, report);
    probes?.close();
    await processLog.sink.flush(LOG_FLUSH_MS);
    return 0;
  } catch (error) {
    report(formatStartError(error));
    return FAILED;
  }
}

function openLog({ operation, production }: BootedSettings): ProcessLog {
  return createProcessLog({
    level: operation.logLevel,
    readable: !production && process.stderr.isTTY === true,
  });
}

async function openProbes(started: StartedRuntime, settings: BootedSettings): Promise<Server | null> {
  const { workerPort: port } = settings.operation;
  if (port === null) return null;
  const { host } = settings;
  try {
    return await startProbeServer(started.runtime, port, host);
  } catch (cause) {
    await closeProcess(started, 0);
    throw new BootError(
      `The worker cannot listen on ${host}:${port} (WORKER_PORT): set it to a free port, or remove it.`,
      { cause },
    );
  }
}

async function untilStopped(started: StartedRuntime, report: (line: string) => void): Promise<void> {
  await new Promise<void>((stop) => {
    let first: number | undefined;
    // Cannot throw: it ends a wait, or the process
    for (const signal of SIGNALS)
      process.on(signal, () => {
        const now = performance.now();
        if (first !== undefined && now - first > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
        first ??= now;
        stop();
      });
  });
  report(describeStopping(getScreen(process.stderr)));
  await closeProcess(started, DRAIN_MS);
}
