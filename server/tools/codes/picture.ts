import { z } from 'zod';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './draw-worker.mjs';

const MODULE = 'server/tools/codes/draw-worker.mjs';
/** WCAG contrast ratio below which scanners begin to fail. */
const MIN_CONTRAST = 3;

const colour = z.string().regex(/^#?[0-9a-fA-F]{6}$/, 'Use a colour of six hex digits, such as #1a2b3c.');

/** Input fields that both skills share. */
export const pictureInput = {
  format: z
    .enum(['svg', 'png'])
    .default('svg')
    .describe(
      'svg (the default): vector markup as text. png: a bitmap as a data URI, ready for an <img src>.',
    ),
  size: z
    .int()
    .min(32)
    .max(2_048)
    .default(320)
    .describe(
      'Width of the picture in pixels, 32 to 2,048; 320 by default. A PNG has whole pixels per module, so its width may differ: see width in the output.',
    ),
  foreground: colour.default('#000000').describe('Colour of the bars or modules, six hex digits.'),
  background: z
    .union([colour, z.literal('transparent')])
    .default('#ffffff')
    .describe(
      'Background colour, six hex digits, or transparent. Scanners need it lighter than the foreground.',
    ),
};

/** Output fields that both skills share. */
export const pictureOutput = {
  format: z.enum(['svg', 'png']).describe('The format of content.'),
  content: z.string().describe('The picture: SVG markup, or a data URI (data:image/png;base64,…).'),
  media_type: z.enum(['image/svg+xml', 'image/png']).describe('The media type of the picture.'),
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
};

export interface PictureRequest {
  readonly format: 'svg' | 'png';
  readonly size: number;
  readonly margin: number;
  readonly foreground: string;
  readonly background: string;
}

/**
 * Draws a symbol in a worker process.
 * @throws {InputError} if the contrast is too low, or the text does not fit into the symbol
 */
export async function drawPicture(
  request: PictureRequest,
  symbol: { symbology: string; text: string; errorCorrection?: string; showText?: boolean },
  signal: AbortSignal,
) {
  const foreground = request.foreground.replace('#', '');
  const background = request.background === 'transparent' ? null : request.background.replace('#', '');
  if (background !== null && computeContrast(foreground, background) < MIN_CONTRAST) {
    throw new InputError(
      'foreground, background: the contrast is too low for scanners. Make one colour much darker.',
    );
  }
  const { format, size, margin } = request;
  const drawing = { ...symbol, format, size, margin, foreground, background };
  const drawn = await runInWorker<typeof worker.draw>(MODULE, 'draw', drawing, { signal });
  if (!drawn.ok) throw new InputError(`content: cannot be encoded. ${drawn.message}.`);
  const media_type: 'image/svg+xml' | 'image/png' = format === 'svg' ? 'image/svg+xml' : 'image/png';
  const { content, width, height, modules } = drawn;
  return { picture: { format, content, media_type, width, height }, modules };
}

/** WCAG 2.2 contrast ratio of two colours, 1 to 21. */
function computeContrast(one: string, other: string): number {
  const [dark, light] = [computeLuminance(one), computeLuminance(other)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function computeLuminance(hex: string): number {
  const channel = (at: number) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4);
}
