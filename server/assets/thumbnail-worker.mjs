import sharp from 'sharp';

/** A picture of more pixels is not decoded (threats C5): 50 million are 200 MB of memory. */
const MAX_PIXELS = 50_000_000;
/** Of AVIF, which takes 80 ms of computing for each million. */
const MAX_AVIF_PIXELS = 16_000_000;
const MAX_SIDE = 512;
const QUALITY = 78;

sharp.cache(false);
sharp.concurrency(1);

/**
 * Draws the thumbnail of a picture: its first frame, turned as its EXIF says, without its metadata.
 * @param {{ source: string, target: string }} paths
 * @returns {Promise<{ bytes: number }>} throws for what is no picture of a known kind, broken or too large
 */
export async function drawThumbnail({ source, target }) {
  const picture = sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { format, width, height } = await picture.metadata();
  if (!['png', 'jpeg', 'webp', 'gif', 'heif'].includes(format ?? ''))
    throw new Error('Not a picture we draw');
  if (format === 'heif' && width * height > MAX_AVIF_PIXELS) throw new Error('An AVIF of too many pixels');
  const { size } = await picture
    .rotate()
    .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toFile(target);
  return { bytes: size };
}
