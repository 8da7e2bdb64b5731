import { z } from 'zod';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { defineSkill, perCall } from '../sdk/define-tool';
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
  format: z.enum(FORMATS).describe('The format wanted: jpeg, png, webp, avif, gif or tiff.'),
  quality: qualityField,
  lossless: z
    .boolean()
    .default(false)
    .describe('For webp and avif: keep every pixel exactly; the file becomes larger.'),
  max_bytes: maxBytesField,
  background: colour
    .optional()
    .describe(
      'Colour behind transparent parts, such as #ffffff. jpeg has no transparency: white when left out.',
    ),
  keep_metadata: z
    .boolean()
    .default(false)
    .describe(
      'Keep EXIF, colour profile and captions. Off, they are removed, with the place where a photo was taken; the photo stays upright.',
    ),
});

const output = z.object(pictureOutput);

export const convert = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'convert',
  displayName: 'Convert a picture',
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
      throw new InputError('lossless: jpeg always loses a little. Choose png, webp or avif.');
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
