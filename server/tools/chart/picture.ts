import { z } from 'zod';
import type { Refusable } from '../../kit/worker-refusal.mjs';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { assetOutput } from '../sdk/file-schemas';
import type { SkillContext } from '../sdk/skill-context';
import { MAX_SCALE, MAX_SIDE, MIN_SIDE } from './limits.mjs';

export const MODULE = 'server/tools/chart/render-worker.mjs';
const MAX_STEM_CHARS = 60;

export const side = z.int().min(MIN_SIDE).max(MAX_SIDE);

/** The input fields that both skills have. */
export const pictureInput = {
  format: z
    .enum(['png', 'svg'])
    .default('png')
    .describe('png: pixels, ready for any page or chat (the default). svg: vectors, sharp at any size.'),
  scale: z
    .number()
    .min(0.5)
    .max(MAX_SCALE)
    .default(2)
    .describe('Pixels of the png for each unit of width, 0.5 to 4; 2 is sharp on modern screens.'),
  theme: z.enum(['light', 'dark']).default('light').describe('Colours of ground, text and lines.'),
};

/** The output fields that both skills have. */
export const pictureOutput = {
  asset: assetOutput.describe('The picture.'),
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
  format: z.enum(['png', 'svg']).describe('Format of the picture.'),
  warnings: z.array(z.string()).describe('What Vega found odd in the chart; empty when all is well.'),
};

interface Drawn {
  width: number;
  height: number;
  warnings: string[];
}

/**
 * Keeps what the worker has drawn.
 * @throws {SkillError} where it refused
 */
export async function saveChart(
  { files }: Pick<SkillContext<unknown>, 'files'>,
  { path, title, format }: { path: string; title: string | undefined; format: 'png' | 'svg' },
  answer: Refusable<Drawn>,
) {
  const drawn = acceptOrRefuse(answer);
  const contentType = format === 'png' ? 'image/png' : 'image/svg+xml';
  const asset = await files.save({ path }, { filename: `${stemOf(title)}.${format}`, contentType });
  return { asset, format, ...drawn };
}

function stemOf(title: string | undefined): string {
  const plain = (title ?? '').normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  return (
    plain
      .slice(0, MAX_STEM_CHARS)
      .replace(/^-+|-+$/g, '')
      .toLowerCase() || 'chart'
  );
}
