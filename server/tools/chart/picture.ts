import { z } from 'zod';
import type { Refusable } from '../../kit/worker-refusal.mjs';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { assetOutput } from '../sdk/file-schemas';
import type { SkillContext } from '../sdk/skill-context';
import { MAX_SCALE, MAX_SIDE, MIN_SIDE } from './limits.mjs';

export const MODULE = 'server/tools/chart/render-worker.mjs';
const MAX_STEM_CHARS = 60;

export const side = z.int().min(MIN_SIDE).max(MAX_SIDE);

/** Input fields that both chart skills share. */
export const pictureInput = {
  format: z
    .enum(['png', 'svg'])
    .default('png')
    .describe('png (the default): a bitmap for any page or chat. svg: vectors, sharp at any size.'),
  scale: z
    .number()
    .min(0.5)
    .max(MAX_SCALE)
    .default(2)
    .describe('Pixels of the PNG per unit of width, 0.5 to 4; 2 is sharp on modern screens.'),
  theme: z.enum(['light', 'dark']).default('light').describe('Colours of the background, text and lines.'),
};

/** Output fields that both chart skills share. */
export const pictureOutput = {
  asset: assetOutput.describe('The picture.'),
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
  format: z.enum(['png', 'svg']).describe('Format of the picture.'),
  warnings: z
    .array(z.string())
    .describe(
      'What may be wrong with the picture: warnings from Vega, texts that were cut to fit, characters without a font; empty if there are none.',
    ),
};

interface Drawn {
  width: number;
  height: number;
  warnings: string[];
}

/**
 * Saves the chart that the worker has drawn as an asset.
 * @throws {SkillError} if the worker refused the input
 */
export async function saveChart(
  { files }: Pick<SkillContext<unknown>, 'files'>,
  { path, title, format }: { path: string; title: string | undefined; format: 'png' | 'svg' },
  answer: Refusable<Drawn>,
) {
  const drawn = acceptOrRefuse(answer);
  const contentType = format === 'png' ? 'image/png' : 'image/svg+xml';
  const asset = await files.save({ path }, { filename: `${toFileStem(title)}.${format}`, contentType });
  return { asset, format, ...drawn };
}

function toFileStem(title: string | undefined): string {
  const plain = (title ?? '').normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  return (
    plain
      .slice(0, MAX_STEM_CHARS)
      .replace(/^-+|-+$/g, '')
      .toLowerCase() || 'chart'
  );
}
