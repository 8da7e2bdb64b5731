// What all workers of pictures share: a file is opened only after its header has passed the limits.
import { open } from 'node:fs/promises';
import sharp from 'sharp';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { MAX_FRAMES, MAX_INPUT_PIXELS } from './limits.mjs';

sharp.cache(false);
// One core a task: the pool shares the machine among tasks, not libvips.
sharp.concurrency(1);
// Only decoders of plain bitmaps. SVG, PDF and others can name files and hold programs.
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
 * @property {import('sharp').Sharp} pipeline decodes when it is asked for pixels
 * @property {import('sharp').Metadata} metadata
 * @property {string} format as callers name it: jpeg, png, webp, avif, gif, tiff
 * @property {number} width of one frame, upright
 * @property {number} height of one frame, upright
 * @property {number} frames
 */

/**
 * Reads the header of a picture and checks it.
 * @param {string} path
 * @param {{ field: string, animated?: boolean }} options field names the input in errors; animated asks for all frames
 * @returns {Promise<Opened>}
 * @throws {Refusal} where it is no picture, or too large
 */
export async function openPicture(path, { field, animated = false }) {
  const { pipeline, metadata } = await readHeader(path, field, false);
  // Its codec is patented; sharp's libraries come without it.
  if (String(metadata.format) === 'heif' && metadata.compression !== 'av1')
    throw new Refusal(`${field}: is a HEIC photo, which cannot be read here. Send it as ${FORMATS}.`);
  const frames = animated ? (metadata.pages ?? 1) : 1;
  const { width, height } = metadata.autoOrient;
  const pixels = width * (metadata.pageHeight ?? height) * frames;
  if (pixels > MAX_INPUT_PIXELS) {
    throw new Refusal(
      `${field}: has ${width} × ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}, and at most ${millions(MAX_INPUT_PIXELS)} can be read.`,
    );
  }
  if (frames > MAX_FRAMES)
    throw new Refusal(`${field}: has ${frames} frames, and at most ${MAX_FRAMES} can be read.`);
  const format = formatOf(metadata);
  if (frames === 1) return { pipeline, metadata, format, width, height, frames };
  const all = await readHeader(path, field, true);
  return { ...all, format, width, height: all.metadata.pageHeight ?? height, frames };
}

/** @param {number} count */
export function millions(count) {
  return `${count / 1_000_000} million`;
}

/** @param {string} path @param {string} field @param {boolean} animated */
async function readHeader(path, field, animated) {
  // The limit here is for what lies about itself; ours, by the header, has better words.
  const pipeline = sharp(path, { animated, limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' });
  try {
    return { pipeline, metadata: await pipeline.metadata() };
  } catch (error) {
    throw await explain(error, path, field);
  }
}

/**
 * Why a picture cannot be read, in words for the caller.
 * @param {unknown} error of sharp
 * @param {string} path
 * @param {string} field
 */
async function explain(error, path, field) {
  const text = error instanceof Error ? error.message : String(error);
  if (/exceeds pixel limit/i.test(text))
    return new Refusal(
      `${field}: has more than ${millions(MAX_INPUT_PIXELS)} pixels. Send a smaller picture.`,
    );
  if (await looksLikeSvg(path))
    return new Refusal(`${field}: is an SVG, and this tool reads bitmaps only: ${FORMATS}.`);
  if (/unsupported image format|operation is blocked|not a known|missing/i.test(text))
    return new Refusal(`${field}: is not a picture that can be read. Send ${FORMATS}.`);
  return new Refusal(`${field}: the picture is damaged and cannot be read. Send an intact file.`);
}

/**
 * Runs what decodes, and tells a damaged picture from a bug of ours.
 * @template Value
 * @param {string} field
 * @param {() => Promise<Value>} work
 */
export async function decoding(field, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const text = error instanceof Error ? error.message : String(error);
    if (/exceeds pixel limit/i.test(text))
      throw new Refusal(
        `${field}: has more than ${millions(MAX_INPUT_PIXELS)} pixels. Send a smaller picture.`,
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
function formatOf({ format, compression }) {
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
