import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import type { MissingEngine } from '../sdk/define-tool';
import { InputError, SkillError } from '../sdk/skill-error';
import {
  boundMemory,
  confineMediaProgram,
  findPlaceOwner,
  findProgram,
  killGroup,
  spendCompute,
  WorkerPlaces,
  wasKilled,
} from '../sdk/workers';

const MIB = 1024 * 1024;
/** Concurrent processes; each uses up to two cores, at a low priority. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;
/** Characters of stderr to keep, from its end: many chapters may precede the streams of a file. */
const MAX_STDERR_CHARS = 131_072;
/** Seconds of CPU time, after which ffmpeg ends itself, even if the gateway is gone. */
const MAX_CPU_SECONDS = 1_200;
/** Limit of a single allocation. */
const MAX_ALLOCATION_BYTES = 128 * MIB;
/** Memory limit of one run: 4K video with 10 bits takes 600 MiB. */
const MAX_BYTES = 1_024 * MIB;

const places = new WorkerPlaces({
  total: MAX_RUNNING,
  long: MAX_RUNNING,
  perAccount: MAX_RUNNING / 2,
  perRank: { paying: MAX_RUNNING, provisional: MAX_RUNNING / 2, overBudget: MAX_RUNNING / 2 },
  asleep: 0,
  waiting: MAX_WAITING,
});

export interface FfmpegOptions {
  readonly signal: AbortSignal;
  /** Receives the seconds of media processed so far. */
  onSeconds?(seconds: number): void;
  /** Seconds of CPU time, after which ffmpeg ends itself; 1,200 if absent. */
  readonly maxCpuSeconds?: number;
  /** Memory limit, for tests. */
  readonly maxBytes?: number;
}

const NO_FFMPEG: MissingEngine = {
  reason: 'This gateway has no ffmpeg.',
  fix: 'Install it (on Debian: apt install ffmpeg) or set FFMPEG_PATH.',
};

/** Returns null if ffmpeg is installed. */
export async function findMissingFfmpeg(): Promise<MissingEngine | null> {
  return (await findProgram('ffmpeg')) ? null : NO_FFMPEG;
}

/**
 * Runs ffmpeg without a shell, confined to the folders of its files and without network.
 * @param args as documented by ffmpeg; files as `file:` and a path chosen by us
 * @returns whether it succeeded, and the end of its stderr
 * @throws {InputError} if it exceeds the memory limit
 * @throws {SkillError} if ffmpeg is missing, or too many runs are waiting
 * @throws the signal's reason, after the program has ended
 */
export async function runFfmpeg(
  args: readonly string[],
  options: FfmpegOptions,
): Promise<{ ok: boolean; stderr: string }> {
  const { signal } = options;
  const program = await findProgram('ffmpeg');
  if (!program) throw new SkillError(NO_FFMPEG.reason, { failure: 'TOOL_UNAVAILABLE' });
  const place = await places.acquire(findPlaceOwner(signal), false, signal);
  const startedAt = performance.now();
  try {
    return await run(program, args, options);
  } finally {
    spendCompute(signal, performance.now() - startedAt);
    places.release(place);
  }
}

async function run(program: string, args: readonly string[], options: FfmpegOptions) {
  const { signal, onSeconds, maxBytes = MAX_BYTES, maxCpuSeconds = MAX_CPU_SECONDS } = options;
  signal.throwIfAborted();
  const limits = ['-timelimit', `${maxCpuSeconds}`, '-max_alloc', `${MAX_ALLOCATION_BYTES}`];
  // Only the variables that ffmpeg needs to be found and to print plain text.
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    AV_LOG_FORCE_NOCOLOR: '1',
    NODE_ENV: 'production',
  } as const;
  const confined = await confineMediaProgram(
    { program, args: ['-hide_banner', '-nostdin', '-y', ...limits, ...args], versionArgs: ['-version'], env },
    foldersIn(args),
  );
  signal.throwIfAborted();
  const child = spawn(confined.program, [...confined.args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  withErrorListener(child);
  withErrorListener(child.stdout);
  withErrorListener(child.stderr);
  let stderr = '';
  // A killed run's output is discarded, so ffmpeg needs no time to finish.
  const killNow = guarded(() => killGroup(child));
  // If the gateway exits first, it kills the program.
  process.once('exit', killNow);
  signal.addEventListener('abort', killNow, { once: true });
  const watch = boundMemory(child.pid, maxBytes);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
  });
  const onOutput = guarded((text: string) => {
    const done = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1];
    if (done) onSeconds?.(Number(done) / 1e6);
  });
  child.stdout.setEncoding('utf8').on('data', onOutput);
  try {
    const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    signal.throwIfAborted();
    // Killed by limitMemory, or by the kernel when the machine is out of memory.
    if (wasKilled(code, by))
      throw new InputError(
        `file: processing it takes more than ${Math.floor(maxBytes / MIB)} MiB of memory. Send a smaller file or resolution.`,
      );
    return { ok: code === 0, stderr };
  } finally {
    watch.end();
    signal.removeEventListener('abort', killNow);
    process.off('exit', killNow);
  }
}

/** Returns the folders of the files in the arguments, which are those of this call only. */
function foldersIn(args: readonly string[]): string[] {
  const files = args.filter((arg) => arg.startsWith('file:')).map((arg) => arg.slice('file:'.length));
  return [...new Set(files.map((file) => dirname(resolve(file))))];
}
