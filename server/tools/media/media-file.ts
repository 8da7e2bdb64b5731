import { z } from 'zod';
import { fileInput } from '../sdk/file-schemas';
import type { CallFiles } from '../sdk/skill-context';
import { InputError } from '../sdk/skill-error';
import { runFfmpeg } from './run-ffmpeg';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** Per frame: allows 4K video, but no frame that would exhaust the memory. */
const MAX_WIDTH = 4_096;
const MAX_HEIGHT = 2_304;
const MAX_PIXELS = MAX_WIDTH * MAX_HEIGHT;
/** Each stream has its own decoder and index. Phones write up to eight. */
const MAX_STREAMS = 16;
/** Per decoder; each thread keeps its own frames in memory. */
const DECODER_THREADS = 2;
const MAX_SHOWN_CHARS = 200;
/** Of a line that ffmpeg prints, which may have a text of the file in it. */
const MAX_LINE_CHARS = 1_000;
/** Seconds of CPU time to read what is in a file: some files take minutes to open. */
const MAX_PROBE_SECONDS = 30;

/**
 * A stream, such as `Stream #0:1[0x2](und): Audio: aac`. Bounded, because ffmpeg prints names that
 * the file chooses, too.
 */
const STREAM = /^ {2,4}Stream #0:\d{1,3}(?:[[(].{0,100}?)?: (Video|Audio): (.*)$/gm;

/** Returns the streams that ffmpeg lists, each with its kind and facts. Pure. */
export function listStreams(stderr: string): RegExpExecArray[] {
  return [...stderr.matchAll(STREAM)];
}

/** Longest piece of media processed in one call. */
export const MAX_SECONDS = 600;

export const mediaFile = fileInput(
  'The video or sound: MP4, MOV, WebM, MKV, AVI, GIF, MP3, M4A, AAC, WAV, OGG or FLAC, up to 100 MiB.',
  'video/*',
);

/** Input fields that choose the part of a file, shared by all skills that encode. */
export const partInput = {
  start_seconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .describe('Start of the part, in seconds from the start of the file; 0 by default.'),
  duration_seconds: z
    .number()
    .min(0.1)
    .max(MAX_SECONDS)
    .optional()
    .describe(`Duration of the part in seconds, up to ${MAX_SECONDS}; to the end of the file by default.`),
};

/**
 * Demuxers by detected content type. Always naming one prevents ffmpeg from reading a text as a
 * list of other files (concat, HLS, DASH, image sequences); none of these reads any other file.
 */
const DEMUXERS: readonly [RegExp, string][] = [
  [/^(video|audio)\/(mp4|x-m4v|x-m4a|m4a|quicktime|3gpp2?)/, 'mov'],
  [/^(video|audio)\/(webm|(x-)?matroska)/, 'matroska'],
  [/^video\/(x-msvideo|vnd\.avi|avi)/, 'avi'],
  [/^image\/gif/, 'gif'],
  [/^audio\/mpeg/, 'mp3'],
  [/^audio\/aac/, 'aac'],
  [/^audio\/(x-|vnd\.)?wave?/, 'wav'],
  [/^(audio|video|application)\/ogg/, 'ogg'],
  [/^audio\/(x-)?flac/, 'flac'],
];

/** A file that ffmpeg may read. */
export interface Media {
  readonly filename: string;
  /** Arguments that read only this file; other input options may precede them. */
  readonly args: readonly string[];
  /** Null if the file does not state its duration. */
  readonly seconds: number | null;
  readonly hasSound: boolean;
  /** Frame size of the video; null if there is only sound. */
  readonly picture: { readonly width: number; readonly height: number } | null;
}

/**
 * Opens a file input and reads which streams it has.
 * @throws {InputError} if it cannot be read safely
 */
export async function openMedia(file: string, files: CallFiles, signal: AbortSignal): Promise<Media> {
  const { path, filename, contentType } = await files.open(file, { maxBytes: MAX_FILE_BYTES });
  const args = buildInputArgs(path, contentType);
  if (!args)
    throw new InputError(
      `file: the format ${contentType} is not supported. Send MP4, MOV, WebM, MKV, AVI, GIF, MP3, M4A, AAC, WAV, OGG or FLAC.`,
    );
  return { filename, args, ...(await probe(args, signal)) };
}

/** Builds arguments that read only this file; null if the format cannot be read safely. */
export function buildInputArgs(path: string, contentType: string): string[] | null {
  const reader = DEMUXERS.find(([type]) => type.test(contentType))?.[1];
  if (!reader) return null;
  const limits = ['-max_pixels', `${MAX_PIXELS}`, '-max_streams', `${MAX_STREAMS}`];
  const threads = ['-threads', `${DECODER_THREADS}`];
  return ['-protocol_whitelist', 'file', ...limits, ...threads, '-f', reader, '-i', `file:${path}`];
}

/** Without an output, ffmpeg prints what it finds in the file and fails. */
async function probe(args: readonly string[], signal: AbortSignal) {
  const { stderr } = await runFfmpeg(args, { signal, maxCpuSeconds: MAX_PROBE_SECONDS });
  if (/exceeds max_streams/.test(stderr))
    throw new InputError(`file: there are more than ${MAX_STREAMS} streams. Send only the streams you need.`);
  const streams = listStreams(stderr);
  if (streams.length === 0) throw new InputError(`file: the media cannot be read. ${shortReason(stderr)}`);
  const video = streams.find(([, kind, facts]) => kind === 'Video' && !facts?.includes('attached pic'))?.[2];
  const size = /, (\d{1,5})x(\d{1,5})/.exec(video ?? '');
  const refused = size ? null : /Picture size (\d{1,10})x(\d{1,10}) is invalid/.exec(stderr);
  if (refused)
    throw new InputError(
      `file: the video has ${refused[1]} × ${refused[2]} pixels. Send at most ${MAX_WIDTH} × ${MAX_HEIGHT}.`,
    );
  const duration = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/m.exec(stderr);
  return {
    seconds: duration ? Number(duration[1]) * 3600 + Number(duration[2]) * 60 + Number(duration[3]) : null,
    hasSound: streams.some(([, kind]) => kind === 'Audio'),
    picture: size ? { width: Number(size[1]), height: Number(size[2]) } : null,
  };
}

/** Lines that give no reason. */
const NO_REASON =
  /At least one output file|has not been used for any stream|Terminating thread with return code/;

/** Returns ffmpeg's last message, without memory addresses and paths of this machine. Pure. */
export function shortReason(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() && !NO_REASON.test(line));
  return (lines.at(-1) ?? 'ffmpeg gave no reason.')
    .slice(0, MAX_LINE_CHARS)
    .replace(/\[[^\][]{0,100}@ 0x[0-9a-f]{1,16}\] ?/g, '')
    .replace(/(file:)?\/[^\s:'"]+/g, 'the file')
    .trim()
    .slice(0, MAX_SHOWN_CHARS);
}

/** Formats a time for ffmpeg, which does not read exponents. Pure. */
export function formatSeconds(seconds: number): string {
  return seconds.toFixed(6);
}

/**
 * Computes the duration of the result in seconds.
 * @throws {InputError} if the part is empty, or longer than one call may process
 */
export function resolveDuration(
  media: Media,
  part: { start_seconds: number; duration_seconds?: number | undefined },
): number {
  const { start_seconds: start, duration_seconds: wanted } = part;
  // A file may state no duration, which ffmpeg treats as unlimited.
  if (media.seconds === null || !(media.seconds > 0)) return wanted ?? MAX_SECONDS;
  if (start >= media.seconds && start > 0)
    throw new InputError(`start_seconds: the file has only ${media.seconds} s. Choose an earlier start.`);
  const seconds = Math.min(wanted ?? Number.POSITIVE_INFINITY, media.seconds - start);
  if (seconds > MAX_SECONDS)
    throw new InputError(
      `file: the duration is ${Math.round(media.seconds)} s; the limit per call is ${MAX_SECONDS} s. Set duration_seconds.`,
    );
  return seconds;
}
