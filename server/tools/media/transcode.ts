import { z } from 'zod';
import { defineSkill, perUnit } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { encode } from './encode';
import { MAX_SECONDS, mediaFile, openMedia, partInput } from './media-file';

/** Half a cent per minute of media. */
const PRICE_MICROUSD = 5_000n;
const DEFAULT_GIF_FPS = 10;
const DEFAULT_GIF_WIDTH = 480;

const input = z.object({
  file: mediaFile,
  to: z
    .enum(['mp4', 'webm', 'mp3', 'wav', 'ogg', 'gif'])
    .describe(
      'Target format: mp4 (H.264), webm (VP9), gif (up to 60 s, no sound), or only the sound: mp3, wav, ogg.',
    ),
  ...partInput,
  max_width: z
    .int()
    .min(16)
    .max(1_920)
    .optional()
    .describe(
      'Maximum width in pixels; the aspect ratio is kept and it is never enlarged. By default 480 for a gif, otherwise 1080p.',
    ),
  max_height: z.int().min(16).max(1_920).optional().describe('Maximum height in pixels.'),
  video_kbps: z
    .int()
    .min(50)
    .max(8_000)
    .default(4_000)
    .describe('Maximum video bitrate in kilobits per second, up to 8,000; 4,000 by default.'),
  audio_kbps: z
    .int()
    .min(16)
    .max(320)
    .default(128)
    .describe('Audio bitrate in kilobits per second, up to 320; 128 by default.'),
  fps: z
    .number()
    .min(1)
    .max(60)
    .optional()
    .describe('Frames per second; by default that of the source, or 10 for a gif.'),
  mute: z.boolean().default(false).describe('Whether to remove the sound.'),
});

const output = z.object({
  file: assetOutput.describe('The new file.'),
  duration_seconds: z.number().describe('Its duration in seconds.'),
});

export const transcode = defineSkill<z.infer<typeof input>, z.infer<typeof output>, { units: number }>({
  name: 'transcode',
  displayName: 'Convert video or audio',
  keywords:
    'video clip film movie convert cut trim shorten shrink compress reduce resolution smaller mp4 mov webm avi mkv animated looping gif audio mp3 wav ogg flac',
  description:
    'Converts a video or a sound recording to another format, cuts a piece out of it, or makes it smaller: MP4, WebM, animated GIF, MP3, WAV or OGG, with limits on resolution and bitrate. Up to 10 minutes and 100 MiB, never beyond 1080p. Long by nature: the call becomes a job that reports its progress.',
  input,
  output,
  returns: 'The converted file and its length.',
  examples: [
    {
      description: 'The first second of a clip as an animated GIF',
      input: { file: 'asset_sample_clip', to: 'gif', duration_seconds: 1, max_width: 160 },
    },
    {
      description: 'A clip as a small WebM without sound',
      input: { file: 'asset_sample_clip', to: 'webm', max_width: 160, video_kbps: 200, mute: true },
    },
  ],
  price: perUnit('minute', PRICE_MICROUSD, ({ duration_seconds: seconds = MAX_SECONDS }) => seconds / 60, [
    'duration_seconds',
  ]),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 30 },
  async run({ input: request, files, signal, progress, log }) {
    const media = await openMedia(request.file, files, signal);
    const defaults = request.to === 'gif' ? { fps: DEFAULT_GIF_FPS, max_width: DEFAULT_GIF_WIDTH } : {};
    log(`Converting ${media.filename} to ${request.to}.`);
    const { file: made, seconds } = await encode(
      media,
      { ...request, fps: request.fps ?? defaults.fps, max_width: request.max_width ?? defaults.max_width },
      { files, signal, progress },
    );
    return { output: { file: made, duration_seconds: seconds }, usage: { units: seconds / 60 } };
  },
});
