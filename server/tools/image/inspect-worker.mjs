// Runs in a worker process, because the facts about pixels require decoding them.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline as flow } from 'node:stream/promises';
import { refusable } from '../../kit/worker-refusal.mjs';
import { summarizeExif } from './exif-worker.mjs';
import { openPicture, withDecodeErrors } from './open-worker.mjs';

/** Divisible by 8 and 9, the rows and columns of the hash. */
const SAMPLE_SIDE = 72;
const MAX_COLOURS = 5;
/** Minimum difference in grey levels (of 255); smaller ones are compression noise. */
const MIN_STEP = 2;
/** Bits per channel that distinguish the colours of the palette. */
const COLOUR_BITS = 3;

/**
 * Reads the facts about a picture.
 * @param {{ input: string }} payload input is its path
 */
export function inspect({ input }) {
  return refusable(async () => {
    const { pipeline, metadata, format, width, height } = await openPicture(input, { field: 'image' });
    const small = await withDecodeErrors('image', () =>
      pipeline
        .autoOrient()
        .toColourspace('srgb')
        .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill' })
        .ensureAlpha()
        .raw()
        .toBuffer(),
    );
    const sha256 = createHash('sha256');
    await flow(createReadStream(input), sha256);
    return {
      format,
      width,
      height,
      megapixels: Math.round((width * height) / 10_000) / 100,
      aspect_ratio: formatAspectRatio(width, height),
      colour_space: String(metadata.space),
      channels: metadata.channels,
      bit_depth: { uchar: 8, char: 8, ushort: 16, short: 16 }[String(metadata.depth)] ?? 32,
      has_alpha: metadata.hasAlpha,
      is_transparent: metadata.hasAlpha && small.some((value, at) => at % 4 === 3 && value < 255),
      has_colour_profile: metadata.hasProfile,
      is_progressive: metadata.isProgressive,
      frames: metadata.pages ?? 1,
      density_dpi: metadata.density ?? null,
      orientation: metadata.orientation ?? 1,
      exif: summarizeExif(metadata.exif),
      dominant_colours: dominantColours(small),
      perceptual_hash: differenceHash(small),
      sha256: sha256.digest('hex'),
    };
  });
}

/** @param {number} width @param {number} height */
function formatAspectRatio(width, height) {
  const divisor = (/** @type {number} */ a, /** @type {number} */ b) => {
    while (b) [a, b] = [b, a % b];
    return a;
  };
  const common = divisor(width, height);
  return `${width / common}:${height / common}`;
}

/** @param {Buffer} rgba */
function dominantColours(rgba) {
  /** @type {Map<number, [number, number, number, number]>} */
  const bins = new Map();
  let total = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
    if (alpha < 128) continue;
    const shift = 8 - COLOUR_BITS;
    const key = ((red >> shift) << 16) | ((green >> shift) << 8) | (blue >> shift);
    const [count, r, g, b] = bins.get(key) ?? [0, 0, 0, 0];
    bins.set(key, [count + 1, r + red, g + green, b + blue]);
    total += 1;
  }
  return [...bins.values()]
    .sort((a, b) => b[0] - a[0])
    .slice(0, MAX_COLOURS)
    .map(([count, ...sums]) => ({
      hex: `#${sums
        .map((sum) =>
          Math.round(sum / count)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`,
      share: Math.round((count / total) * 1000) / 1000,
    }));
}

/**
 * A 64-bit dHash: each bit says whether a cell is darker than the next one to the right. Similar
 * pictures differ in few bits.
 * @param {Buffer} rgba
 */
function differenceHash(rgba) {
  const [cellHeight, cellWidth] = [SAMPLE_SIDE / 8, SAMPLE_SIDE / 9];
  const grey = (/** @type {number} */ row, /** @type {number} */ column) => {
    let sum = 0;
    for (let y = row * cellHeight; y < (row + 1) * cellHeight; y += 1)
      for (let x = column * cellWidth; x < (column + 1) * cellWidth; x += 1) {
        const at = (y * SAMPLE_SIDE + x) * 4;
        sum += 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
      }
    return sum;
  };
  const step = MIN_STEP * cellWidth * cellHeight;
  let bits = 0n;
  for (let row = 0; row < 8; row += 1)
    for (let column = 0; column < 8; column += 1)
      bits = (bits << 1n) | (grey(row, column + 1) - grey(row, column) > step ? 1n : 0n);
  return bits.toString(16).padStart(16, '0');
}
