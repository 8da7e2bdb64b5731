import sharp from 'sharp';

/** Larger images are not decoded (threats C5): 50 million pixels take 200 MB of memory. */
const MAX_PIXELS = 50_000_000;
/** Lower limit for AVIF, which takes 80 ms of CPU per million pixels. */
const MAX_AVIF_PIXELS = 16_000_000;
const MAX_SIDE = 512;
const QUALITY = 78;

sharp.cache(false);
sharp.concurrency(1);

/**
 * Draws the thumbnail of an image: first frame, rotated per EXIF, without metadata.
 * @param {{ source: string, target: string }} paths
 * @returns {Promise<{ bytes: number }>} rejects for unknown, broken or too large images
 */
export async function drawThumbnail({ source, target }) {
  const picture = sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { format, width, height } = await picture.metadata();
  if (!['png', 'jpeg', 'webp', 'gif', 'heif'].includes(format ?? ''))
    throw new Error('Not a supported image type');
  if (format === 'heif' && width * height > MAX_AVIF_PIXELS) throw new Error('The AVIF has too many pixels');
  const { size } = await picture
    .rotate()
    .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toFile(target);
  return { bytes: size };
}
