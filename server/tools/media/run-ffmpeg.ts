import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { SkillError } from '../define-tool';
import { findProgram } from '../programs';
import { WorkerPlaces } from '../worker-places';

/** Programs at once; each uses up to two cores, at a low priority. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;
/** What has not ended so long after it was asked to is killed. */
const KILL_AFTER_MS = 2_000;
const NICENESS = 10;
/** Kept of what it says, from the end. */
const MAX_SAID_CHARS = 16_384;
/** Seconds of computing; ffmpeg ends itself then, also where nobody is left who could end it. */
const MAX_CPU_SECONDS = 1_200;
/** One allocation of it, in bytes. */
const MAX_ALLOCATION_BYTES = 256 * 1024 * 1024;

const places = new WorkerPlaces({ total: MAX_RUNNING, long: MAX_RUNNING, waiting: MAX_WAITING });

export interface FfmpegOptions {
  readonly signal: AbortSignal;
  /** Told the seconds of media that are done. */
  onSeconds?(seconds: number): void;
}

/** Null where ffmpeg can be started, else why not. */
export async function whyNoFfmpeg(): Promise<string | null> {
  if (await findProgram('ffmpeg')) return null;
  return 'No ffmpeg was found on this machine. Its operator has to install it (apt-get install ffmpeg) or to set FFMPEG_PATH.';
}

/**
 * Runs ffmpeg to its end, without a shell.
 * @param args as documented by ffmpeg; files as `file:` and a path of ours
 * @returns whether it succeeded, and what it said
 * @throws {SkillError} where there is no ffmpeg, or too many wait
 * @throws the signal's reason after the program has ended
 */
export async function runFfmpeg(
  args: readonly string[],
  { signal, onSeconds }: FfmpegOptions,
): Promise<{ ok: boolean; said: string }> {
  const program = await findProgram('ffmpeg');
  if (!program) throw new SkillError((await whyNoFfmpeg()) ?? 'ffmpeg cannot be started.');
  const place = await places.take(false, signal);
  try {
    return await run(program, args, { signal, onSeconds });
  } finally {
    places.leave(place);
  }
}

async function run(program: string, args: readonly string[], { signal, onSeconds }: FfmpegOptions) {
  signal.throwIfAborted();
  const limits = ['-timelimit', `${MAX_CPU_SECONDS}`, '-max_alloc', `${MAX_ALLOCATION_BYTES}`];
  const child = spawn(program, ['-hide_banner', '-nostdin', '-y', ...limits, ...args], {
    // Of our environment only what it needs to be found and to speak plainly.
    env: { PATH: process.env.PATH, LC_ALL: 'C', AV_LOG_FORCE_NOCOLOR: '1', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let killTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    killTimer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  };
  // Should the gateway exit first, it takes the program with it.
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  signal.addEventListener('abort', stop, { once: true });
  lowerPriority(child.pid);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID_CHARS);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const done = [...text.matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1];
    if (done) onSeconds?.(Number(done) / 1e6);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    signal.throwIfAborted();
    return { ok: code === 0, said };
  } finally {
    clearTimeout(killTimer);
    signal.removeEventListener('abort', stop);
    process.off('exit', killNow);
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // Gone already, or a system without priorities.
  }
}
