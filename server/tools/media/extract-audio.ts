import { z } from 'zod';
import { defineSkill, perUnit } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { encode } from './encode';
import { MAX_SECONDS, mediaFile, openMedia, partInput } from './media-file';

/** A fifth of a cent per minute of media. */
const PRICE_MICROUSD = 2_000n;

const input = z.object({
  file: mediaFile,
  to: z.enum(['mp3', 'wav', 'ogg']).default('mp3').describe('Target format: mp3 (the default), wav or ogg.'),
  ...partInput,
  audio_kbps: z
    .int()
    .min(16)
    .max(320)
    .default(128)
    .describe(
      'Bitrate in kilobits per second, up to 320; 128 by default. Not used for wav, which is uncompressed.',
    ),
});

const output = z.object({
  file: assetOutput.describe('The audio file.'),
  duration_seconds: z.number().describe('Its duration in seconds.'),
});

export const extractAudio = defineSkill<z.infer<typeof input>, z.infer<typeof output>, { units: number }>({
  name: 'extract_audio',
  displayName: 'Sound of a video',
  keywords: 'video film movie clip mp4 mp3 audio track music sound rip soundtrack only',
  description:
    'Takes the soundtrack out of a video, or a piece of it, as MP3, WAV or OGG: for a transcription, a podcast or a voice track. Up to 10 minutes and 100 MiB.',
  input,
  output,
  returns: 'The sound as a file, and its length.',
  examples: [{ description: 'The sound of a clip as MP3', input: { file: 'asset_sample_clip' } }],
  price: perUnit('minute', PRICE_MICROUSD, ({ duration_seconds: seconds = MAX_SECONDS }) => seconds / 60, [
    'duration_seconds',
  ]),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 5 },
  async run({ input: request, files, signal, progress }) {
    const media = await openMedia(request.file, files, signal);
    const { file, seconds } = await encode(
      media,
      { ...request, video_kbps: 0, mute: false },
      { files, signal, progress },
    );
    return { output: { file, duration_seconds: seconds }, usage: { units: seconds / 60 } };
  },
});
