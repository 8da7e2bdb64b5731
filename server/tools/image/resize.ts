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
  pixels,
  qualityField,
  savePicture,
} from './picture';
import type * as worker from './resize-worker.mjs';

const POSITIONS = [
  'center',
  'top',
  'right top',
  'right',
  'right bottom',
  'bottom',
  'left bottom',
  'left',
  'left top',
  'entropy',
  'attention',
] as const;

const input = z.object({
  image: imageField,
  width: pixels
    .optional()
    .describe('Target width in pixels. With only width or height, the aspect ratio is kept.'),
  height: pixels.optional().describe('Target height in pixels.'),
  fit: z
    .enum(['inside', 'cover', 'contain', 'fill', 'outside'])
    .default('inside')
    .describe(
      'With both width and height: inside (the default) fits into the box and keeps the aspect ratio, cover fills the box and crops the rest, contain fits and pads, fill stretches, outside covers the box without cropping.',
    ),
  position: z
    .enum(POSITIONS)
    .default('center')
    .describe(
      'With cover or contain: which part is kept. attention favours faces and strong colours, entropy favours detail.',
    ),
  allow_enlargement: z
    .boolean()
    .default(false)
    .describe('Whether the picture may be enlarged. By default a small picture keeps its size.'),
  format: z.enum(FORMATS).optional().describe('Format of the result; that of the input by default.'),
  quality: qualityField,
  max_bytes: maxBytesField,
  background: colour
    .optional()
    .describe(
      'Colour for padding and transparent parts, such as #ffffff; by default transparent, or white for jpeg.',
    ),
});

const output = z.object(pictureOutput);

export const resize = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'resize',
  displayName: 'Resize a picture',
  keywords:
    'image photo picture smaller larger bigger shrink reduce enlarge scale crop square width height thumbnail avatar pixels kilobytes megabyte',
  description:
    'Makes a picture smaller or larger: scales a photo to a width or height in pixels, crops it to a square or banner, pads it to a shape, or shrinks it to a file size. Keeps the proportions unless you choose otherwise, turns photos upright, keeps GIF and WebP animations moving.',
  input,
  output,
  returns: 'The new picture as an asset, with its width, height and format.',
  examples: [
    {
      description: 'Make a photo 400 pixels wide',
      input: { image: 'asset_sample_photo', width: 400 },
    },
    {
      description: 'Crop a photo to a square profile picture around its main subject, as WebP',
      input: {
        image: 'asset_sample_photo',
        width: 256,
        height: 256,
        fit: 'cover',
        position: 'attention',
        format: 'webp',
      },
    },
    {
      description: 'Shrink a photo to at most 15 kB for an upload form',
      input: { image: 'asset_sample_photo', width: 640, format: 'jpeg', max_bytes: 15_000 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: request, files, signal }) {
    if (request.width === undefined && request.height === undefined && request.max_bytes === undefined)
      throw new InputError(
        'width, height, max_bytes: pass at least one of them. To change only the format, use convert.',
      );
    const source = await openImage({ files }, request.image);
    const path = await files.scratch();
    const { width, height, fit, position, format, quality, background } = request;
    const answer = await runInWorker<typeof worker.transform>(
      'server/tools/image/resize-worker.mjs',
      'transform',
      {
        input: source.path,
        output: path,
        enlarge: request.allow_enlargement,
        maxBytes: request.max_bytes,
        ...{ width, height, fit, position, format, quality, background },
      },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    return {
      output: await savePicture({ files }, { path, base: source.filename, suffix: '-resized' }, answer),
    };
  },
});
