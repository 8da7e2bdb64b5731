import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { TIME_LIMIT_MS } from './limits.mjs';
import {
  colour,
  FORMATS,
  imageField,
  maxBytesField,
  openImage,
  PRICE_MICROUSD,
  pictureOutput,
  qualityField,
  savePicture,
} from './picture';
import type * as worker from './resize-worker.mjs';

const LOSSLESS = new Set(['webp', 'avif', 'png', 'gif', 'tiff']);

const input = z.object({
  image: imageField,
  format: z.enum(FORMATS).describe('Target format: jpeg, png, webp, avif, gif or tiff.'),
  quality: qualityField,
  lossless: z
    .boolean()
    .default(false)
    .describe('For webp and avif: lossless compression, which makes the file larger.'),
  max_bytes: maxBytesField,
  background: colour
    .optional()
    .describe(
      'Background colour for transparent parts, such as #ffffff. jpeg has no transparency and uses white by default.',
    ),
  keep_metadata: z
    .boolean()
    .default(false)
    .describe(
      'Keep EXIF data, colour profile and captions. By default they are removed, including the location of a photo; its orientation is applied to the pixels.',
    ),
});

const output = z.object(pictureOutput);

export const convert = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'convert',
  displayName: 'Convert a picture',
  keywords: 'image picture photo format png jpg jpeg webp avif tiff bmp gif heic compress file size quality',
  description:
    'Converts a picture from one format to another, such as PNG to JPG, JPG to WebP, WebP to PNG, AVIF or TIFF to JPEG, or an animated GIF to WebP. Compresses it for the web by quality or to a file size, and removes hidden metadata like the GPS position of a photo.',
  input,
  output,
  returns: 'The converted picture as an asset, with its width, height, format and the quality used.',
  examples: [
    {
      description: 'Convert a JPEG photo to WebP for a website',
      input: { image: 'asset_sample_photo', format: 'webp', quality: 75 },
    },
    {
      description: 'Turn a transparent PNG logo into a JPEG on white',
      input: { image: 'asset_sample_logo', format: 'jpeg', background: '#ffffff' },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: request, files, signal }) {
    const { format, quality, lossless, background } = request;
    if (lossless && !LOSSLESS.has(format))
      throw new InputError('lossless: jpeg does not support lossless compression. Use png, webp or avif.');
    const source = await openImage({ files }, request.image);
    const path = await files.scratch();
    const answer = await runInWorker<typeof worker.transform>(
      'server/tools/image/resize-worker.mjs',
      'transform',
      {
        input: source.path,
        output: path,
        maxBytes: request.max_bytes,
        keepMetadata: request.keep_metadata,
        ...{ format, quality, lossless, background },
      },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    return { output: await savePicture({ files }, { path, base: source.filename, suffix: '' }, answer) };
  },
});
