import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { fileInput } from '../sdk/file-schemas';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './compose-worker.mjs';
import type { Layer } from './compose-worker.mjs';
import { MAX_LAYERS, MAX_SIDE, TIME_LIMIT_MS } from './limits.mjs';
import {
  colour,
  FORMATS,
  imageField,
  openImage,
  pictureOutput,
  pixels,
  qualityField,
  savePicture,
} from './picture';

/** A fifth of a cent, because several pictures are decoded. */
const COMPOSE_MICROUSD = 2_000n;
const MAX_TEXT_CHARS = 1_000;

const POSITIONS = [
  'top_left',
  'top',
  'top_right',
  'left',
  'center',
  'right',
  'bottom_left',
  'bottom',
  'bottom_right',
] as const;

const BLENDS = [
  'over',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'soft-light',
  'difference',
] as const;

const offset = z.int().min(-MAX_SIDE).max(MAX_SIDE);

const layer = z.object({
  image: fileInput('A picture to draw on top. Pass either image or text.', 'image/*').optional(),
  text: z
    .string()
    .min(1)
    .max(MAX_TEXT_CHARS)
    .optional()
    .describe('Text to draw. Pass either text or image. Line breaks are kept; long lines are wrapped.'),
  position: z
    .enum(POSITIONS)
    .default('center')
    .describe('Position of the layer: a corner, the middle of an edge, or the centre.'),
  margin_x: offset
    .default(0)
    .describe(
      'Distance in pixels from the left or right edge that position names; otherwise from the centre to the right.',
    ),
  margin_y: offset
    .default(0)
    .describe(
      'Distance in pixels from the top or bottom edge that position names; otherwise from the centre downwards.',
    ),
  width: pixels.optional().describe('Width of the picture, or the width at which text is wrapped.'),
  height: pixels.optional().describe('Height of the picture; by default it keeps the aspect ratio.'),
  opacity: z.number().min(0).max(1).default(1).describe('Opacity from 0 (invisible) to 1 (solid).'),
  blend: z.enum(BLENDS).default('over').describe('How its colours blend with the layers below.'),
  corner_radius: z
    .int()
    .min(0)
    .max(MAX_SIDE)
    .default(0)
    .describe('Rounds the corners of the picture, in pixels.'),
  repeat: z
    .boolean()
    .default(false)
    .describe('Repeats the layer over the whole picture, for example as a watermark.'),
  font_size: z.int().min(6).max(1_000).default(32).describe('Font size of the text, in pixels.'),
  bold: z.boolean().default(false).describe('Bold text.'),
  color: colour.default('#ffffff').describe('Colour of text.'),
  outline: colour
    .optional()
    .describe('Colour of a thin outline around the letters, which keeps text readable.'),
  background: colour.optional().describe('Colour of a box behind text, such as #00000099.'),
  align: z.enum(['left', 'center', 'right']).default('left').describe('How lines of text are aligned.'),
});

const input = z.object({
  image: imageField
    .optional()
    .describe('The base picture: an asset id (asset_…) or an http(s) URL. Pass either image or canvas.'),
  canvas: z
    .object({
      width: pixels.describe('Width in pixels.'),
      height: pixels.describe('Height in pixels.'),
      color: colour.default('#ffffff').describe('Background colour.'),
    })
    .optional()
    .describe('An empty canvas instead of a base picture.'),
  width: pixels.optional().describe('Scales the base picture to this width first.'),
  layers: z
    .array(layer)
    .max(MAX_LAYERS)
    .default([])
    .describe('Pictures and texts to draw on top, the lowest first; at most 20.'),
  border: z
    .object({
      width: z.int().min(1).max(2_000).describe('Width in pixels.'),
      color: colour.default('#ffffff').describe('Colour of the border.'),
    })
    .optional()
    .describe('A border around the result.'),
  corner_radius: z
    .int()
    .min(0)
    .max(MAX_SIDE)
    .default(0)
    .describe('Rounds the corners of the result, in pixels; use png or webp, which support transparency.'),
  format: z
    .enum(FORMATS)
    .optional()
    .describe('Format of the result; by default that of the base picture, or png for a canvas.'),
  quality: qualityField,
});

const output = z.object({
  ...pictureOutput,
  warnings: z
    .array(z.string())
    .optional()
    .describe(
      'What the picture does not show, such as characters without a font; absent if there is nothing.',
    ),
});

export const compose = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'compose',
  displayName: 'Compose a picture',
  keywords:
    'add watermark logo overlay caption text image photo meme collage combine blend transparent layer border second picture',
  description:
    'Puts pictures and text together: adds a logo or watermark to a photo, writes a caption or label on an image, overlays one image on another with opacity and blend modes, makes a banner or social card on a plain background, adds a border or round corners. Up to 20 layers and 25 million pixels.',
  input,
  output,
  returns: 'The composed picture as an asset, with its width, height and format.',
  examples: [
    {
      description: 'Add a logo as a watermark in the corner of a photo, with a caption',
      input: {
        image: 'asset_sample_photo',
        layers: [
          {
            image: 'asset_sample_logo',
            width: 120,
            position: 'bottom_right',
            margin_x: 24,
            margin_y: 24,
            opacity: 0.85,
          },
          {
            text: 'Morning over the valley',
            position: 'bottom_left',
            margin_x: 24,
            margin_y: 24,
            font_size: 36,
            bold: true,
            background: '#00000099',
          },
        ],
      },
    },
    {
      description: 'A social media card with a headline and a logo',
      input: {
        canvas: { width: 1200, height: 630, color: '#0f2a43' },
        layers: [
          { image: 'asset_sample_logo', width: 140, position: 'top_left', margin_x: 80, margin_y: 80 },
          {
            text: 'Quarterly report:\nrevenue up by a fifth',
            position: 'bottom_left',
            margin_x: 80,
            margin_y: 80,
            font_size: 72,
            bold: true,
            width: 1040,
          },
        ],
      },
    },
    {
      description: 'A photo with round corners and a white border, as a transparent PNG',
      input: {
        image: 'asset_sample_photo',
        width: 600,
        border: { width: 12, color: '#ffffff' },
        corner_radius: 32,
        format: 'png',
      },
    },
  ],
  price: perCall(COMPOSE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1.5 },
  async run({ input: request, files, signal }) {
    if ((request.image === undefined) === (request.canvas === undefined))
      throw new InputError('image, canvas: pass exactly one of them.');
    const source = request.image === undefined ? undefined : await openImage({ files }, request.image);
    const layers: Layer[] = [];
    for (const [index, wanted] of request.layers.entries()) {
      if ((wanted.image === undefined) === (wanted.text === undefined))
        throw new InputError(`layers.${index}: pass either image or text.`);
      const picture = wanted.image === undefined ? undefined : await openImage({ files }, wanted.image);
      layers.push(toLayer(wanted, picture?.path));
    }
    const { canvas, border, width, format, quality } = request;
    const path = await files.scratch();
    const answer = await runInWorker<typeof worker.compose>(
      'server/tools/image/compose-worker.mjs',
      'compose',
      {
        input: source?.path,
        canvas: canvas && { width: canvas.width, height: canvas.height, colour: canvas.color },
        border: border && { width: border.width, colour: border.color },
        cornerRadius: request.corner_radius,
        output: path,
        ...{ layers, width, format, quality },
      },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    const base = source?.filename ?? 'picture.png';
    return {
      output: await savePicture({ files }, { path, base, suffix: source ? '-composed' : '' }, answer),
    };
  },
});

function toLayer(wanted: z.infer<typeof layer>, path: string | undefined): Layer {
  const { position, opacity, blend } = wanted;
  const place = {
    position,
    opacity,
    blend,
    marginX: wanted.margin_x,
    marginY: wanted.margin_y,
    tile: wanted.repeat,
  };
  if (wanted.text === undefined) {
    const { width, height } = wanted;
    return { ...place, input: path, width, height, cornerRadius: wanted.corner_radius };
  }
  const { text, bold, align, background, outline } = wanted;
  const label = { text, bold, align, background, outline, size: wanted.font_size, colour: wanted.color };
  return { ...place, label: { ...label, maxWidth: wanted.width ?? MAX_SIDE } };
}
