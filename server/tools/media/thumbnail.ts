import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { InputError } from '../sdk/skill-error';
import { buildScaleFilter } from './encode';
import { formatSeconds, mediaFile, openMedia, shortReason } from './media-file';
import { runFfmpeg } from './run-ffmpeg';

/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const MAX_DEFAULT_SECONDS = 1;
/** One frame takes a second. */
const MAX_CPU_SECONDS = 120;

const FORMATS = {
  jpeg: {
    mediaType: 'image/jpeg',
    extension: 'jpg',
    args: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'],
  },
  png: { mediaType: 'image/png', extension: 'png', args: ['-c:v', 'png'] },
} as const;

const input = z.object({
  file: mediaFile,
  at_seconds: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .describe(
      'Position of the frame in seconds from the start; by default 1, or the middle of a shorter video.',
    ),
  format: z.enum(['jpeg', 'png']).default('jpeg').describe('Format of the picture; jpeg by default.'),
  max_width: z
    .int()
    .min(16)
    .max(1_920)
    .optional()
    .describe('Maximum width in pixels, up to 1,920; the aspect ratio is kept and it is never enlarged.'),
});

const output = z.object({
  file: assetOutput.describe('The picture.'),
  at_seconds: z.number().describe('Position of the frame in seconds from the start.'),
});

export const thumbnail = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'thumbnail',
  displayName: 'Still of a video',
  keywords: 'video clip film frame still cover poster preview image grab pick moment',
  description:
    'Takes one frame out of a video at a given moment, as a JPEG or PNG: a poster, a preview or a cover. Videos up to 100 MiB.',
  input,
  output,
  returns: 'The picture as a file, and the moment it shows.',
  examples: [
    {
      description: 'The frame after a second and a half, 200 pixels wide',
      input: { file: 'asset_sample_clip', at_seconds: 1.5, max_width: 200 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: request, files, signal }) {
    const media = await openMedia(request.file, files, signal);
    if (!media.picture) throw new InputError('file: there is no video stream, only audio.');
    const middle = (media.seconds ?? 0) / 2;
    const at = request.at_seconds ?? Math.min(MAX_DEFAULT_SECONDS, middle);
    const { mediaType, extension, args } = FORMATS[request.format];
    const path = await files.scratch(extension);
    const { ok, stderr } = await runFfmpeg(
      [
        ...[
          '-loglevel',
          'error',
          '-ss',
          formatSeconds(at),
          ...media.args,
          '-map',
          '0:V:0',
          '-map_metadata',
          '-1',
        ],
        ...['-frames:v', '1', '-vf', buildScaleFilter(request), '-threads', '1', ...args],
        ...['-f', 'image2', '-update', '1', `file:${path}`],
      ],
      { signal, maxCpuSeconds: MAX_CPU_SECONDS },
    );
    if (!ok) throw new InputError(`file: no frame can be extracted. ${shortReason(stderr)}`);
    const isThere = await stat(path).catch(() => null);
    if (!isThere)
      throw new InputError(`at_seconds: there is no frame at ${at} s; the file has ${media.seconds ?? 0} s.`);
    const filename = `${media.filename.replace(/\.[^.]*$/, '') || 'still'}.${extension}`;
    const file = await files.save({ path }, { filename, contentType: mediaType });
    return { output: { file, at_seconds: at } };
  },
});
