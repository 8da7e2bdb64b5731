import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { InputError, SkillError } from '../sdk/skill-error';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { findPlaceOwner, spendCompute } from '../sdk/workers';
import {
  boundMemory,
  confineMediaProgram,
  findProgram,
  killGroup,
  wasKilled,
} from '../sdk/workers';
import { WorkerPlaces } from '../sdk/workers';

const MIB = 1024 * 1024;
/** Programs at once; each uses up to two cores, at a low priority. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;
/** Kept of what it says, from the end. */
const MAX_SAID_CHARS = 16_384;
/** Seconds of computing; ffmpeg ends itself then, also where nobody is left who could end it. */
const MAX_CPU_SECONDS = 1_200;
/** One allocation of it, in bytes. */
const MAX_ALLOCATION_BYTES = 128 * MIB;
/** All memory of one run: 4K video of 10 bits takes 600 MiB. */
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
  /** Told the seconds of media that are done. */
  onSeconds?(seconds: number): void;
  /** For tests: another limit of its memory. */
  readonly maxBytes?: number;
}

/** Null where ffmpeg can be started, else why not. */
export async function whyNoFfmpeg(): Promise<string | null> {
  if (await findProgram('ffmpeg')) return null;
  return 'No ffmpeg was found on this machine. Its operator has to install it (apt-get install ffmpeg) or to set FFMPEG_PATH.';
}

/**
 * Runs ffmpeg to its end, without a shell, where it sees the folders of its files and no network.
 * @param args as documented by ffmpeg; files as `file:` and a path of ours
 * @returns whether it succeeded, and what it said
 * @throws {InputError} where it needs more memory than there is for one run
 * @throws {SkillError} where there is no ffmpeg, or too many wait
 * @throws the signal's reason after the program has ended
 */
export async function runFfmpeg(
  args: readonly string[],
  options: FfmpegOptions,
): Promise<{ ok: boolean; said: string }> {
  const { signal } = options;
  const program = await findProgram('ffmpeg');
  if (!program)
    throw new SkillError((await whyNoFfmpeg()) ?? 'ffmpeg cannot be started.', {
      failure: 'TOOL_UNAVAILABLE',
    });
  const place = await places.take(findPlaceOwner(signal), false, signal);
  const begunAt = performance.now();
  try {
    return await run(program, args, options);
  } finally {
    spendCompute(signal, performance.now() - begunAt);
    places.leave(place);
  }
}

async function run(program: string, args: readonly string[], options: FfmpegOptions) {
  const { signal, onSeconds, maxBytes = MAX_BYTES } = options;
  signal.throwIfAborted();
  const limits = ['-timelimit', `${MAX_CPU_SECONDS}`, '-max_alloc', `${MAX_ALLOCATION_BYTES}`];
  // Of our environment only what it needs to be found and to speak plainly.
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
  let said = '';
  // Nothing that it has written is kept, so it needs no time to end well.
  const killNow = guarded(() => killGroup(child));
  // Should the gateway exit first, it takes the program with it.
  process.once('exit', killNow);
  signal.addEventListener('abort', killNow, { once: true });
  const watch = boundMemory(child.pid, maxBytes);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID_CHARS);
  });
  const onOutput = guarded((text: string) => {
    const done = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1];
    if (done) onSeconds?.(Number(done) / 1e6);
  });
  child.stdout.setEncoding('utf8').on('data', onOutput);
  try {
    const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    signal.throwIfAborted();
    // Nobody else ends it so: the watch, or the system where its own memory is full.
    if (wasKilled(code, by))
      throw new InputError(
        `file: needs more than ${Math.floor(maxBytes / MIB)} MiB of memory to be read. Send it in a smaller size.`,
      );
    return { ok: code === 0, said };
  } finally {
    watch.end();
    signal.removeEventListener('abort', killNow);
    process.off('exit', killNow);
  }
}

/** Where the files are that the arguments name: the folder of this call, and no other's. */
function foldersIn(args: readonly string[]): string[] {
  const files = args.filter((arg) => arg.startsWith('file:')).map((arg) => arg.slice('file:'.length));
  return [...new Set(files.map((file) => dirname(resolve(file))))];
}
