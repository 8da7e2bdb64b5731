import { boot } from '../boot/boot';
import { BootError } from '../boot/boot-error';
import { createLogger } from '../log';
import { SettingsError } from '../settings';
import { type StartedRuntime, startRuntime } from '../start-runtime';

/** How long a stop waits for the calls that run; what is left then goes back to the queue or is ended. */
const DRAIN_MS = 20_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const FAILED = 1;
const INTERRUPTED = 130;
/** One Ctrl-C under npm arrives twice, from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;

interface WorkerOptions {
  env: NodeJS.ProcessEnv;
  /** Where relative folders start and `.env` lies. */
  cwd: string;
  tell(line: string): void;
}

/**
 * Runs queued calls beside the gateway, on its database, until a signal ends it. Never throws.
 * @returns the exit code
 */
export async function runWorker({ env, cwd, tell }: WorkerOptions): Promise<number> {
  try {
    const booted = await boot({ env, cwd, mode: 'worker', log: tell });
    if (booted.settings.jobs === 'off')
      throw new BootError('JOBS=off: this gateway queues nothing, so a worker has nothing to do.');
    const started = startRuntime({ settings: booted.settings, log: createLogger(), role: 'worker' });
    // A promise that a tool forgot must not end everyone's calls.
    process.on('unhandledRejection', (reason) => tell(`Unhandled rejection: ${forPerson(reason)}`));
    tell(`Worker ready: up to ${booted.settings.jobConcurrency} queued calls at once. Ctrl-C stops it.`);
    await untilStopped(started, tell);
    return 0;
  } catch (error) {
    tell(forPerson(error));
    return FAILED;
  }
}

async function untilStopped(started: StartedRuntime, tell: (line: string) => void): Promise<void> {
  await new Promise<void>((stop) => {
    let first: number | undefined;
    for (const signal of SIGNALS)
      process.on(signal, () => {
        const now = performance.now();
        if (first !== undefined && now - first > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
        first ??= now;
        stop();
      });
  });
  tell('Stopping. Once more stops at once.');
  await started.close(DRAIN_MS);
}

function forPerson(error: unknown): string {
  if (error instanceof BootError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
