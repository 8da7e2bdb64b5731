import { z } from 'zod';
import { InputError } from '../sdk/skill-error';
import { fileInput } from '../sdk/file-schemas';
import type { CallFiles } from '../sdk/skill-context';
import { runFfmpeg } from './run-ffmpeg';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** Of one frame: 4K video, but no frame that would fill the memory. */
const MAX_WIDTH = 4_096;
const MAX_HEIGHT = 2_304;
const MAX_PIXELS = MAX_WIDTH * MAX_HEIGHT;
/** Each stream has a decoder and an index of its own. Phones write up to eight. */
const MAX_STREAMS = 16;
/** Of one decoder: each has pictures of its own in memory. */
const DECODER_THREADS = 2;
const MAX_SHOWN_CHARS = 200;

/** Longest piece of media that is worked on in one call. */
export const MAX_SECONDS = 600;

export const mediaFile = fileInput(
  'The video or sound: MP4, MOV, WebM, MKV, AVI, GIF, MP3, M4A, AAC, WAV, OGG or FLAC, up to 100 MiB.',
  'video/*',
);

/** Which part of the file is used; the same in every skill that encodes. */
export const partInput = {
  start_seconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .describe('Where to begin, in seconds from the start; 0 when left out.'),
  duration_seconds: z
    .number()
    .min(0.1)
    .max(MAX_SECONDS)
    .optional()
    .describe(`How much to take, in seconds, up to ${MAX_SECONDS}; to the end when left out.`),
};

/**
 * What reads a file, by what its bytes say it is. A reader is always named, so that no text is
 * taken for a list of other files (concat, HLS, DASH, image sequences), and none of these reads
 * anything but its one file.
 */
const READERS: readonly [RegExp, string][] = [
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
  /** Arguments that read it and nothing else; input options may stand before them. */
  readonly args: readonly string[];
  /** Null where the file does not say. */
  readonly seconds: number | null;
  readonly hasSound: boolean;
  /** Of the moving picture; null where there is only sound. */
  readonly picture: { readonly width: number; readonly height: number } | null;
}

/**
 * Opens a file input, and looks what is in it.
 * @throws {InputError} where it is nothing that can be read safely
 */
export async function openMedia(file: string, files: CallFiles, signal: AbortSignal): Promise<Media> {
  const { path, filename, contentType } = await files.open(file, { maxBytes: MAX_FILE_BYTES });
  const args = readingArgs(path, contentType);
  if (!args)
    throw new InputError(
      `file: is no video or sound that can be read here (${contentType}). Send MP4, MOV, WebM, MKV, AVI, GIF, MP3, M4A, AAC, WAV, OGG or FLAC.`,
    );
  return { filename, args, ...(await probe(args, signal)) };
}

/**
 * Arguments that read this file and nothing else; null where it is none that can be read safely.
 */
export function readingArgs(path: string, contentType: string): string[] | null {
  const reader = READERS.find(([type]) => type.test(contentType))?.[1];
  if (!reader) return null;
  const limits = ['-max_pixels', `${MAX_PIXELS}`, '-max_streams', `${MAX_STREAMS}`];
  const threads = ['-threads', `${DECODER_THREADS}`];
  return ['-protocol_whitelist', 'file', ...limits, ...threads, '-f', reader, '-i', `file:${path}`];
}

/** Without an output ffmpeg only tells what it has found, and fails. */
async function probe(args: readonly string[], signal: AbortSignal) {
  const { said } = await runFfmpeg(args, { signal });
  if (/exceeds max_streams/.test(said))
    throw new InputError(`file: has more than ${MAX_STREAMS} streams. Send it with the streams you need.`);
  // Metadata, which anybody may have written, is indented further.
  const streams = [...said.matchAll(/^ {2,4}Stream #0:\d+.*?: (Video|Audio): (.*)$/gm)];
  if (streams.length === 0) throw new InputError(`file: cannot be read. ${shortReason(said)}`);
  const video = streams.find(([, kind, facts]) => kind === 'Video' && !facts?.includes('attached pic'))?.[2];
  const size = /, (\d{1,5})x(\d{1,5})/.exec(video ?? '');
  const refused = size ? null : /Picture size (\d+)x(\d+) is invalid/.exec(said);
  if (refused)
    throw new InputError(
      `file: its picture is ${refused[1]} × ${refused[2]} pixels. Send at most ${MAX_WIDTH} × ${MAX_HEIGHT}.`,
    );
  const duration = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/m.exec(said);
  return {
    seconds: duration ? Number(duration[1]) * 3600 + Number(duration[2]) * 60 + Number(duration[3]) : null,
    hasSound: streams.some(([, kind]) => kind === 'Audio'),
    picture: size ? { width: Number(size[1]), height: Number(size[2]) } : null,
  };
}

/** The last thing it said, without addresses of memory and paths of this machine. */
export function shortReason(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() && !/At least one output file/.test(line));
  return (lines.at(-1) ?? 'It says nothing about it.')
    .replace(/\[[^\]]*@ 0x[0-9a-f]+\] ?/g, '')
    .replace(/(file:)?\/[^\s:'"]+/g, 'the file')
    .trim()
    .slice(0, MAX_SHOWN_CHARS);
}

/**
 * How many seconds will be made.
 * @throws {InputError} where that is nothing, or more than one call may take
 */
export function secondsOf(media: Media, part: { start_seconds: number; duration_seconds?: number }): number {
  const { start_seconds: start, duration_seconds: wanted } = part;
  // A file may claim no length at all, which to ffmpeg means no limit.
  if (media.seconds === null || !(media.seconds > 0)) return wanted ?? MAX_SECONDS;
  if (start >= media.seconds && start > 0)
    throw new InputError(`start_seconds: the file has only ${media.seconds} s.`);
  const seconds = Math.min(wanted ?? Number.POSITIVE_INFINITY, media.seconds - start);
  if (seconds > MAX_SECONDS)
    throw new InputError(
      `file: has ${Math.round(media.seconds)} s. One call takes ${MAX_SECONDS} s: set duration_seconds.`,
    );
  return seconds;
}
