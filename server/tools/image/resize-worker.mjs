// Runs in a worker process: decoding and encoding take seconds and up to hundreds of megabytes.
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { checkOutput, encode, WITH_ALPHA, WITH_FRAMES } from './encode-worker.mjs';
import { openPicture, withDecodeErrors } from './open-worker.mjs';

/**
 * @typedef {object} Resizing
 * @property {string} input path of the picture
 * @property {string} output path of the new file
 * @property {number | undefined} [width]
 * @property {number | undefined} [height]
 * @property {'inside' | 'cover' | 'contain' | 'fill' | 'outside' | undefined} [fit]
 * @property {string | undefined} [position]
 * @property {boolean | undefined} [enlarge]
 * @property {import('./encode-worker.mjs').Format | undefined} [format] that of the input by
 *   default
 * @property {number | undefined} [quality]
 * @property {boolean | undefined} [lossless]
 * @property {number | undefined} [maxBytes]
 * @property {string | undefined} [background] behind transparent pixels and around a contained
 *   picture
 * @property {boolean | undefined} [keepMetadata]
 */

/**
 * Changes size, format or both.
 * @param {Resizing} resizing
 */
export function transform(resizing) {
  return refusable(async () => {
    const { input, output, keepMetadata = false } = resizing;
    const still = await openPicture(input, { field: 'image' });
    const format = resizing.format ?? asFormat(still.format);
    const isAnimated =
      (still.metadata.pages ?? 1) > 1 && WITH_FRAMES.has(format) && WITH_FRAMES.has(still.format);
    const source = isAnimated ? await openPicture(input, { field: 'image', animated: true }) : still;
    const size = computeSize(source, resizing);
    checkOutput({ ...size, frames: source.frames, format });
    // sharp cannot rotate animations, and GIF and WebP rarely have an orientation.
    let pipeline = isAnimated ? source.pipeline : source.pipeline.autoOrient();
    if (resizing.width !== undefined || resizing.height !== undefined)
      pipeline = pipeline.resize({
        width: resizing.width,
        height: resizing.height,
        fit: resizing.fit,
        position: resizing.position,
        withoutEnlargement: !resizing.enlarge,
        background: resizing.background ?? (WITH_ALPHA.has(format) ? '#00000000' : '#ffffff'),
      });
    if (resizing.background !== undefined || !WITH_ALPHA.has(format))
      pipeline = pipeline.flatten({ background: resizing.background ?? '#ffffff' });
    // Without a profile, colours become sRGB. The pixels are upright, so the orientation is 1.
    if (keepMetadata) pipeline = pipeline.keepMetadata().withMetadata({ orientation: 1 });
    return await withDecodeErrors('image', () => encode(pipeline, { ...resizing, format }, output));
  });
}

/** @param {string} format @returns {import('./encode-worker.mjs').Format} */
function asFormat(format) {
  switch (format) {
    case 'jpeg':
    case 'png':
    case 'webp':
    case 'avif':
    case 'gif':
    case 'tiff':
      return format;
    default:
      throw new Refusal(
        'image: the file is not a supported picture. Send JPEG, PNG, WebP, AVIF, GIF or TIFF.',
      );
  }
}

/**
 * Computes the largest size that the resized picture can have.
 * @param {import('./open-worker.mjs').Opened} source
 * @param {Resizing} resizing
 */
function computeSize({ width, height }, resizing) {
  const byWidth = resizing.width === undefined ? undefined : resizing.width / width;
  const byHeight = resizing.height === undefined ? undefined : resizing.height / height;
  if (byWidth === undefined && byHeight === undefined) return { width, height };
  const both = byWidth !== undefined && byHeight !== undefined;
  if (both && (resizing.fit === 'cover' || resizing.fit === 'contain' || resizing.fit === 'fill'))
    return { width: resizing.width ?? 0, height: resizing.height ?? 0 };
  const scales = [byWidth, byHeight].filter((scale) => scale !== undefined);
  const scale = resizing.fit === 'outside' ? Math.max(...scales) : Math.min(...scales);
  const bounded = resizing.enlarge ? scale : Math.min(scale, 1);
  return { width: Math.round(width * bounded), height: Math.round(height * bounded) };
}
