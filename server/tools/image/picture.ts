import { z } from 'zod';
import type { Refusable } from '../../kit/worker-refusal.mjs';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { assetOutput, fileInput } from '../sdk/file-schemas';
import type { SkillContext } from '../sdk/skill-context';
import type { Encoded } from './encode-worker.mjs';
import { MAX_INPUT_BYTES, MAX_SIDE } from './limits.mjs';

/** A tenth of a cent. */
export const PRICE_MICROUSD = 1_000n;

export const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const;
type Format = (typeof FORMATS)[number];

export const imageField = fileInput(
  'The picture: JPEG, PNG, WebP, AVIF, GIF or TIFF, at most 30 MiB and 100 million pixels.',
  'image/*',
);

export const pixels = z.int().min(1).max(MAX_SIDE);

export const colour = z
  .string()
  .regex(
    /^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/,
    'Use a colour of # and six hex digits, such as #1a2b3c, or eight with opacity.',
  );

export const qualityField = z
  .int()
  .min(1)
  .max(100)
  .optional()
  .describe(
    'Quality from 1 to 100 for jpeg, webp and avif (82, 80 and 55 by default). For png a value below 100 means at most 256 colours.',
  );

export const maxBytesField = z
  .int()
  .min(1_000)
  .max(MAX_INPUT_BYTES)
  .optional()
  .describe('Reduces the quality until the file has at most this many bytes, such as 200000 for 200 kB.');

/** Output fields of skills that create a picture. */
export const pictureOutput = {
  asset: assetOutput.describe('The new picture.'),
  width: z.int().describe('Width in pixels.'),
  height: z.int().describe('Height in pixels.'),
  format: z.enum(FORMATS).describe('Format of the new picture.'),
  quality: z.int().nullable().describe('Quality used; null if the format has none.'),
  frames: z.int().describe('Number of frames; more than 1 for an animation.'),
};

/** Opens the picture of a file input. */
export async function openImage({ files }: Pick<SkillContext<unknown>, 'files'>, reference: string) {
  return await files.open(reference, { maxBytes: MAX_INPUT_BYTES });
}

/**
 * Saves the picture that a worker has drawn as an asset.
 * @param base filename of the source; its extension is replaced
 * @throws {SkillError} if the worker refused the input
 */
export async function savePicture(
  { files }: Pick<SkillContext<unknown>, 'files'>,
  { path, base, suffix }: { path: string; base: string; suffix: string },
  answer: Refusable<Encoded & { warnings?: string[] }>,
) {
  const { width, height, format, quality, frames, warnings } = acceptOrRefuse(answer);
  const filename = `${toFileStem(base)}${suffix}.${format === 'jpeg' ? 'jpg' : format}`;
  const asset = await files.save({ path }, { filename, contentType: toMediaType(format) });
  return { asset, width, height, format, quality, frames, ...(warnings && { warnings }) };
}

function toFileStem(filename: string): string {
  return filename.replace(/\.[^.]*$/, '').slice(0, 80) || 'image';
}

function toMediaType(format: Format): string {
  return `image/${format}`;
}
