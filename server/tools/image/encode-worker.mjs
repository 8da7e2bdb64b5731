import { writeFile } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { MAX_AVIF_PIXELS, MAX_GIF_PIXELS, MAX_OUTPUT_PIXELS, MAX_SIDE } from './limits.mjs';
import { formatMillions } from './open-worker.mjs';

/** @typedef {'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff'} Format */

/**
 * @typedef {object} Encoding
 * @property {Format} format
 * @property {number | undefined} [quality] 1 to 100
 * @property {boolean | undefined} [lossless]
 * @property {number | undefined} [maxBytes] the quality is reduced until the file fits
 */

/**
 * @typedef {{ width: number, height: number, size_bytes: number, format: Format,
 *   quality: number | null, frames: number }} Encoded
 */

/** Formats that support transparency. */
export const WITH_ALPHA = new Set(['png', 'webp', 'avif', 'gif', 'tiff']);
/** Formats that support several frames. */
export const WITH_FRAMES = new Set(['gif', 'webp']);

/** Visually close to the original at a third of its size. */
const DEFAULT_QUALITY = { jpeg: 82, webp: 80, avif: 55 };
const LOWEST_QUALITY = 10;
/** Binary search over the qualities 10 to 100. */
const MAX_TRIES = 6;

/**
 * Encodes a picture into a file.
 * @param {import('sharp').Sharp} pipeline
 * @param {Encoding} encoding
 * @param {string} output path of the new file
 * @returns {Promise<Encoded>}
 * @throws {Refusal} if the picture cannot be made small enough
 */
export async function encode(pipeline, encoding, output) {
  const first = await attempt(pipeline, encoding);
  const { maxBytes } = encoding;
  if (maxBytes === undefined || first.data.length <= maxBytes)
    return await write(first, encoding.format, output);
  if (encoding.format === 'gif' || encoding.format === 'tiff' || encoding.lossless)
    throw new Refusal(
      `max_bytes: the file would have ${first.data.length} bytes. Use jpeg, webp, avif or png without lossless, or a smaller width.`,
    );
  let [low, high] = [LOWEST_QUALITY, (first.quality ?? 100) - 1];
  /** @type {Awaited<ReturnType<typeof attempt>> | undefined} */
  let best;
  for (let tries = 0; tries < MAX_TRIES && low <= high; tries += 1) {
    const quality = Math.floor((low + high) / 2);
    const made = await attempt(pipeline, { ...encoding, quality });
    if (made.data.length <= maxBytes) {
      best = made;
      low = quality + 1;
    } else high = quality - 1;
  }
  best ??= await attempt(pipeline, { ...encoding, quality: LOWEST_QUALITY });
  if (best.data.length > maxBytes)
    throw new Refusal(
      `max_bytes: even at the lowest quality the file has ${best.data.length} bytes. Use a smaller width, or webp or avif.`,
    );
  return await write(best, encoding.format, output);
}

/** Limits of formats that are slow to encode. */
const MAX_PIXELS = new Map([
  ['avif', MAX_AVIF_PIXELS],
  ['gif', MAX_GIF_PIXELS],
]);

/**
 * Checks the size of a picture before it is made.
 * @param {{ width: number, height: number, frames: number, format: string }} picture
 * @param {number} [bound] limit in pixels; the format may have a lower one
 * @throws {Refusal} if the picture would be too large
 */
export function checkOutput({ width, height, frames, format }, bound = MAX_OUTPUT_PIXELS) {
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new Refusal(
      `width: the picture would have ${width} × ${height} pixels; the limit is ${MAX_SIDE} per side. Use a smaller size.`,
    );
  const most = Math.min(bound, MAX_PIXELS.get(format) ?? MAX_OUTPUT_PIXELS);
  if (width * height * frames > most)
    throw new Refusal(
      `width: the picture would have ${width} × ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}; the limit for ${format} is ${formatMillions(most)} pixels. Use a smaller size.`,
    );
}

/** @param {import('sharp').Sharp} pipeline @param {Encoding} encoding */
async function attempt(pipeline, { format, quality, lossless }) {
  const used = lossless
    ? undefined
    : (quality ?? (format in DEFAULT_QUALITY ? DEFAULT_QUALITY[/** @type {'jpeg'} */ (format)] : undefined));
  const { data, info } = await configureEncoder(pipeline.clone(), format, used, lossless).toBuffer({
    resolveWithObject: true,
  });
  return { data, info, quality: used ?? null };
}

/**
 * @param {import('sharp').Sharp} pipeline
 * @param {Format} format
 * @param {number} [quality]
 * @param {boolean} [lossless]
 */
function configureEncoder(pipeline, format, quality, lossless) {
  switch (format) {
    case 'jpeg':
      return pipeline.jpeg({ quality, mozjpeg: true });
    case 'png':
      // A quality below 100 uses a palette of at most 256 colours.
      return pipeline.png(quality === undefined || quality === 100 ? { compressionLevel: 9 } : { quality });
    case 'webp':
      return pipeline.webp({ quality, lossless });
    case 'avif':
      return pipeline.avif({ quality, lossless, effort: 2 });
    case 'gif':
      return pipeline.gif();
    case 'tiff':
      return pipeline.tiff(
        quality === undefined
          ? { compression: 'lzw', predictor: 'horizontal' }
          : { compression: 'jpeg', quality },
      );
  }
}

/**
 * @param {Awaited<ReturnType<typeof attempt>>} made
 * @param {Format} format
 * @param {string} output
 * @returns {Promise<Encoded>}
 */
async function write({ data, info, quality }, format, output) {
  await writeFile(output, data);
  const frames = info.pages ?? 1;
  return {
    width: info.width,
    height: info.pageHeight ?? info.height,
    size_bytes: data.length,
    format,
    quality,
    frames,
  };
}
