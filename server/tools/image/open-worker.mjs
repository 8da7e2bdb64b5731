// Shared by all picture workers: a file is decoded only after its header has passed the limits.
import { open } from 'node:fs/promises';
import sharp from 'sharp';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { MAX_FRAMES, MAX_INPUT_PIXELS } from './limits.mjs';

sharp.cache(false);
// One core per task: the worker pool distributes the machine's cores, not libvips.
sharp.concurrency(1);
// Only decoders of plain bitmaps. SVG, PDF and other formats can reference files and run code.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadTiffFile',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
  ],
});

const HEAD_BYTES = 1024;
const FORMATS = 'JPEG, PNG, WebP, AVIF, GIF or TIFF';

/**
 * @typedef {object} Opened
 * @property {import('sharp').Sharp} pipeline decodes when its pixels are requested
 * @property {import('sharp').Metadata} metadata
 * @property {string} format in our own naming: jpeg, png, webp, avif, gif, tiff
 * @property {number} width of one frame, upright
 * @property {number} height of one frame, upright
 * @property {number} frames
 */

/**
 * Reads the header of a picture and checks it.
 * @param {string} path
 * @param {{ field: string, animated?: boolean }} options field is the input's name in errors;
 *   animated reads all frames
 * @returns {Promise<Opened>}
 * @throws {Refusal} if it is not a picture, or too large
 */
export async function openPicture(path, { field, animated = false }) {
  const { pipeline, metadata } = await readHeader(path, field, false);
  // sharp's prebuilt libraries omit the HEVC codec, which is patented.
  if (String(metadata.format) === 'heif' && metadata.compression !== 'av1')
    throw new Refusal(`${field}: HEIC photos are not supported. Send it as ${FORMATS}.`);
  const frames = animated ? (metadata.pages ?? 1) : 1;
  const { width, height } = metadata.autoOrient;
  const pixels = width * (metadata.pageHeight ?? height) * frames;
  if (pixels > MAX_INPUT_PIXELS) {
    throw new Refusal(
      `${field}: the picture has ${width} × ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}; the limit is ${formatMillions(MAX_INPUT_PIXELS)}. Send a smaller picture.`,
    );
  }
  if (frames > MAX_FRAMES)
    throw new Refusal(
      `${field}: the picture has ${frames} frames; the limit is ${MAX_FRAMES}. Send fewer frames.`,
    );
  const format = getFormatName(metadata);
  if (frames === 1) return { pipeline, metadata, format, width, height, frames };
  const all = await readHeader(path, field, true);
  return { ...all, format, width, height: all.metadata.pageHeight ?? height, frames };
}

/** @param {number} count */
export function formatMillions(count) {
  return `${count / 1_000_000} million`;
}

/** @param {string} path @param {string} field @param {boolean} animated */
async function readHeader(path, field, animated) {
  // Catches files with a false header; openPicture checks the header, with a clearer error.
  const pipeline = sharp(path, { animated, limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' });
  try {
    return { pipeline, metadata: await pipeline.metadata() };
  } catch (error) {
    throw await explain(error, path, field);
  }
}

/**
 * Builds the refusal for a picture that sharp cannot read.
 * @param {unknown} error thrown by sharp
 * @param {string} path
 * @param {string} field
 */
async function explain(error, path, field) {
  const text = error instanceof Error ? error.message : String(error);
  if (/exceeds pixel limit/i.test(text))
    return new Refusal(
      `${field}: the picture has more than ${formatMillions(MAX_INPUT_PIXELS)} pixels. Send a smaller picture.`,
    );
  if (await looksLikeSvg(path)) return new Refusal(`${field}: SVG files are not supported. Send ${FORMATS}.`);
  if (/unsupported image format|operation is blocked|not a known|missing/i.test(text))
    return new Refusal(`${field}: the file is not a supported picture. Send ${FORMATS}.`);
  return new Refusal(`${field}: the picture is damaged and cannot be read. Send an intact file.`);
}

/**
 * Runs work that decodes; turns errors of damaged pictures into refusals, and rethrows bugs.
 * @template Value
 * @param {string} field
 * @param {() => Promise<Value>} work
 */
export async function withDecodeErrors(field, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const text = error instanceof Error ? error.message : String(error);
    if (/exceeds pixel limit/i.test(text))
      throw new Refusal(
        `${field}: the picture has more than ${formatMillions(MAX_INPUT_PIXELS)} pixels. Send a smaller picture.`,
      );
    if (
      /premature|corrupt|truncat|invalid|unable to|bad |error reading|unsupported|vips\w*: |read error|pngload|webp:|heif:|gifload|tiff|^unknown error$/i.test(
        text,
      )
    )
      throw new Refusal(`${field}: the picture is damaged and cannot be read. Send an intact file.`);
    throw error;
  }
}

/** @param {import('sharp').Metadata} metadata */
function getFormatName({ format, compression }) {
  return String(format) === 'heif' && compression === 'av1' ? 'avif' : String(format);
}

/** @param {string} path */
async function looksLikeSvg(path) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return /<svg[\s>]|<!DOCTYPE svg/i.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}
