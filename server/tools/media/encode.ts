import { stat } from 'node:fs/promises';
import type { SavedAsset, SkillContext } from '../sdk/skill-context';
import { InputError } from '../sdk/skill-error';
import { formatSeconds, type Media, resolveDuration, shortReason } from './media-file';
import { runFfmpeg } from './run-ffmpeg';

const MAX_OUTPUT_BYTES = 100 * 1024 * 1024;
/** A file this close to the limit was truncated by ffmpeg's `-fs`. */
const CUT_MARGIN_BYTES = 2 * 1024 * 1024;
const MAX_FPS = 60;
/** A longer GIF would be larger than its source video. */
const MAX_GIF_SECONDS = 60;

const SOUND = {
  mp3: { mediaType: 'audio/mpeg', args: ['-c:a', 'libmp3lame'] },
  wav: { mediaType: 'audio/wav', args: ['-c:a', 'pcm_s16le', '-ar', '44100'] },
  ogg: { mediaType: 'audio/ogg', args: ['-c:a', 'libopus'] },
} as const;

const PICTURE = {
  mp4: {
    mediaType: 'video/mp4',
    args: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  },
  webm: {
    mediaType: 'video/webm',
    args: [
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-row-mt',
      '1',
      '-c:a',
      'libopus',
    ],
  },
  gif: { mediaType: 'image/gif', args: ['-an', '-loop', '0'] },
} as const;

export type SoundFormat = keyof typeof SOUND;
export type MediaFormat = SoundFormat | keyof typeof PICTURE;

export interface Encoding {
  readonly to: MediaFormat;
  readonly start_seconds: number;
  readonly duration_seconds?: number | undefined;
  readonly max_width?: number | undefined;
  readonly max_height?: number | undefined;
  readonly video_kbps: number;
  readonly audio_kbps: number;
  readonly fps?: number | undefined;
  readonly mute: boolean;
}

interface Encoded {
  readonly file: SavedAsset;
  readonly seconds: number;
}

/**
 * Encodes a part of a file in another format, reports progress, and saves it as an asset.
 * @throws {InputError} if the file lacks sound or picture, or the result would be too large
 */
export async function encode(
  media: Media,
  encoding: Encoding,
  { files, progress, signal }: Pick<SkillContext<unknown>, 'files' | 'progress' | 'signal'>,
): Promise<Encoded> {
  const { to } = encoding;
  const seconds = resolveDuration(media, encoding);
  const onlySound = isSound(to);
  if (!onlySound && !media.picture)
    throw new InputError(`file: there is no video stream, which ${to} requires.`);
  if (onlySound && !media.hasSound)
    throw new InputError(`file: there is no audio stream, which ${to} requires.`);
  if (to === 'gif' && seconds > MAX_GIF_SECONDS)
    throw new InputError(`duration_seconds: a GIF may have at most ${MAX_GIF_SECONDS} s.`);
  const path = await files.scratch(to);
  const length = ['-t', formatSeconds(seconds)];
  const { ok, stderr } = await runFfmpeg(
    [
      ...['-loglevel', 'error', '-nostats', '-progress', 'pipe:1'],
      ...['-ss', formatSeconds(encoding.start_seconds), ...length, ...media.args],
      // No subtitles or data streams, which may reference other files. No metadata, which may
      // reveal where a video was recorded.
      ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-threads', '2', '-ac', '2'],
      ...(onlySound ? soundArgs(to, encoding) : pictureArgs(to, encoding)),
      ...(onlySound ? [] : ['-frames:v', `${Math.ceil(seconds * MAX_FPS) + 1}`]),
      // Of the output too, whose length is the price: timestamps in the file can be forged.
      ...[...length, '-fs', `${MAX_OUTPUT_BYTES}`, '-f', to, `file:${path}`],
    ],
    { signal, onSeconds: (done) => progress(Math.min(done / seconds, 1)) },
  );
  if (!ok) throw new InputError(toFailureMessage(stderr, to));
  const { size } = await stat(path);
  if (size > MAX_OUTPUT_BYTES - CUT_MARGIN_BYTES)
    throw new InputError(
      'The result would exceed 100 MiB. Use a shorter part, a smaller size or a lower bitrate.',
    );
  const { mediaType } = onlySound ? SOUND[to] : PICTURE[to];
  const filename = `${media.filename.replace(/\.[^.]*$/, '') || 'media'}.${to}`;
  return { file: await files.save({ path }, { filename, contentType: mediaType }), seconds };
}

function isSound(format: MediaFormat): format is SoundFormat {
  return Object.hasOwn(SOUND, format);
}

function soundArgs(to: SoundFormat, { audio_kbps: kbps }: Encoding): string[] {
  const bitrate = to === 'wav' ? [] : ['-b:a', `${kbps}k`];
  // Counts samples, because the output is limited by time.
  return ['-map', '0:a:0', '-vn', '-af', 'asetpts=N/SR/TB', ...SOUND[to].args, ...bitrate];
}

function pictureArgs(to: keyof typeof PICTURE, encoding: Encoding): string[] {
  const { video_kbps: kbps, audio_kbps, fps, mute } = encoding;
  const filters = [...(fps ? [`fps=${fps}`] : []), buildScaleFilter(encoding)];
  // One palette per frame, because a common one would require all frames in memory.
  if (to === 'gif') filters.push('split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1');
  const bitrate = ['-maxrate', `${kbps}k`, '-bufsize', `${2 * kbps}k`];
  return [
    ...['-map', '0:V:0', ...(mute || to === 'gif' ? ['-an'] : ['-map', '0:a:0?', '-b:a', `${audio_kbps}k`])],
    ...['-vf', filters.join(','), ...PICTURE[to].args, '-fpsmax', `${MAX_FPS}`],
    ...(to === 'mp4' ? [...bitrate, '-movflags', '+faststart'] : []),
    ...(to === 'webm' ? ['-b:v', `${kbps}k`] : []),
  ];
}

/** Builds a scale filter that never enlarges, stays within the request, and within 1080p. */
export function buildScaleFilter({ max_width: width = 1_920, max_height: height = 1_920 }): string {
  const [wide, high] = ['if(gt(iw,ih),1920,1080)', 'if(gt(iw,ih),1080,1920)'];
  return `scale=w='min(min(${width},${wide}),iw)':h='min(min(${height},${high}),ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
}

function toFailureMessage(stderr: string, to: MediaFormat): string {
  if (/Unknown encoder|Encoder not found|not currently supported/.test(stderr))
    return `to: ffmpeg on this gateway does not support ${to}. Choose another format.`;
  return `file: it cannot be converted to ${to}. ${shortReason(stderr)}`;
}
