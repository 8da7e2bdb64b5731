// Runs in a worker process: see resize-worker.mjs.
import sharp from 'sharp';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { describeMissingGlyphs } from '../sdk/missing-glyphs.mjs';
import { checkOutput, encode, WITH_ALPHA } from './encode-worker.mjs';
import { drawCorners, drawLabel } from './label-worker.mjs';
import { MAX_LAYER_PIXELS } from './limits.mjs';
import { openPicture, withDecodeErrors } from './open-worker.mjs';

/**
 * @typedef {'top_left' | 'top' | 'top_right' | 'left' | 'center' | 'right' | 'bottom_left' |
 *   'bottom' | 'bottom_right'} Position
 */

/**
 * @typedef {object} Layer
 * @property {string | undefined} [input] path of a picture
 * @property {import('./label-worker.mjs').Label} [label]
 * @property {number | undefined} [width]
 * @property {number | undefined} [height]
 * @property {number | undefined} [cornerRadius]
 * @property {Position} position
 * @property {number} marginX from the edge that position names; to the right if it names none
 * @property {number} marginY
 * @property {number} opacity 0 to 1
 * @property {import('sharp').Blend} blend
 * @property {boolean} tile
 */

/**
 * @typedef {object} Composition
 * @property {string | undefined} [input] path of the base picture
 * @property {{ width: number, height: number, colour: string } | undefined} [canvas] instead of
 *   input
 * @property {string} output path of the new file
 * @property {number | undefined} [width] the base picture is scaled to this width first
 * @property {Layer[]} layers
 * @property {{ width: number, colour: string } | undefined} [border]
 * @property {number | undefined} [cornerRadius]
 * @property {import('./encode-worker.mjs').Format | undefined} [format]
 * @property {number | undefined} [quality]
 */

/**
 * Draws pictures and labels on top of a picture.
 * @param {Composition} composition
 */
export function compose(composition) {
  return refusable(async () => {
    const bottom = await openBottom(composition);
    const format = composition.format ?? bottom.format;
    const edge = composition.border?.width ?? 0;
    checkOutput(
      { width: bottom.width + 2 * edge, height: bottom.height + 2 * edge, frames: 1, format },
      MAX_LAYER_PIXELS,
    );
    // Raw pixels between steps, because a sharp pipeline runs its operations in a fixed order.
    let picture = await withDecodeErrors(bottom.field, () => flat(bottom.pipeline));
    for (const [index, layer] of composition.layers.entries()) {
      const field = `layers.${index}.image`;
      picture = await withDecodeErrors(field, async () => await drawLayer(picture, layer, field));
    }
    if (composition.border) {
      const background = composition.border.colour;
      picture = await flat(
        asSharp(picture).extend({ top: edge, bottom: edge, left: edge, right: edge, background }),
      );
    }
    if (composition.cornerRadius) picture = await roundOff(picture, composition.cornerRadius);
    let pipeline = asSharp(picture);
    if (!WITH_ALPHA.has(format)) pipeline = pipeline.flatten({ background: '#ffffff' });
    const encoded = await encode(pipeline, { format, quality: composition.quality }, composition.output);
    const warning = describeMissingGlyphs(composition.layers.map(({ label }) => label?.text ?? '').join(''));
    return { ...encoded, ...(warning === null ? {} : { warnings: [warning] }) };
  });
}

/** @typedef {{ data: Buffer, width: number, height: number }} Pixels RGBA */

/** @param {Composition} composition */
async function openBottom({ input, canvas, width }) {
  if (input === undefined) {
    if (!canvas) throw new Refusal('image: pass image or canvas.');
    const create = /** @type {const} */ ({ width: canvas.width, height: canvas.height, channels: 4 });
    checkOutput({ ...canvas, frames: 1, format: 'png' }, MAX_LAYER_PIXELS);
    const pipeline = sharp({ create: { ...create, background: canvas.colour } });
    return { pipeline, ...canvas, format: /** @type {const} */ ('png'), field: 'canvas' };
  }
  const opened = await openPicture(input, { field: 'image' });
  const format = /** @type {import('./encode-worker.mjs').Format} */ (opened.format);
  const upright = opened.pipeline.autoOrient();
  if (width === undefined) return { ...opened, pipeline: upright, format, field: 'image' };
  const height = Math.max(1, Math.round((opened.height * width) / opened.width));
  return { pipeline: upright.resize({ width, height, fit: 'fill' }), width, height, format, field: 'image' };
}

/** @param {Pixels} below @param {Layer} layer @param {string} field @returns {Promise<Pixels>} */
async function drawLayer(below, layer, field) {
  let upper = await renderLayer(below, layer, field);
  if (layer.cornerRadius) upper = await roundOff(upper, layer.cornerRadius);
  if (layer.opacity < 1) {
    // Every fourth value is the alpha channel.
    for (let at = 3; at < upper.data.length; at += 4)
      upper.data[at] = Math.round((upper.data[at] ?? 0) * layer.opacity);
  }
  if (layer.tile && upper.width <= below.width && upper.height <= below.height)
    return await flat(asSharp(below).composite([{ ...toSharpInput(upper), tile: true, blend: layer.blend }]));
  const { left, top } = computePosition(below, upper, layer);
  const seen = cut(upper, below, left, top);
  if (!seen) return below;
  return await flat(
    asSharp(below).composite([
      { ...toSharpInput(seen), left: Math.max(left, 0), top: Math.max(top, 0), blend: layer.blend },
    ]),
  );
}

/** @param {Pixels} below @param {Layer} layer @param {string} field */
async function renderLayer(below, { input, label, width, height }, field) {
  if (label) {
    const maxWidth = Math.min(label.maxWidth, below.width);
    return await flat(sharp(drawLabel({ ...label, maxWidth })));
  }
  if (input === undefined) throw new Refusal(`${field}: pass image or text.`);
  const { pipeline, ...natural } = await openPicture(input, { field });
  const upright = pipeline.autoOrient();
  const wanted = {
    width:
      width ?? (height === undefined ? natural.width : Math.round((natural.width * height) / natural.height)),
    height:
      height ?? (width === undefined ? natural.height : Math.round((natural.height * width) / natural.width)),
  };
  checkOutput({ ...wanted, frames: 1, format: 'png' }, MAX_LAYER_PIXELS);
  const isNatural = width === undefined && height === undefined;
  const resized = isNatural ? upright : upright.resize({ ...wanted, fit: 'fill' });
  return await flat(resized);
}

/** @param {Pixels} picture @param {number} radius */
async function roundOff(picture, radius) {
  const most = Math.min(radius, picture.width / 2, picture.height / 2);
  const mask = drawCorners(picture.width, picture.height, most);
  return await flat(asSharp(picture).composite([{ input: mask, blend: 'dest-in' }]));
}

/** @param {Pixels} below @param {Pixels} upper @param {Layer} layer */
function computePosition(below, upper, { position, marginX, marginY }) {
  const [freeX, freeY] = [below.width - upper.width, below.height - upper.height];
  const left = position.endsWith('left')
    ? marginX
    : position.endsWith('right')
      ? freeX - marginX
      : freeX / 2 + marginX;
  const top = position.startsWith('top')
    ? marginY
    : position.startsWith('bottom')
      ? freeY - marginY
      : freeY / 2 + marginY;
  return { left: Math.round(left), top: Math.round(top) };
}

/**
 * Crops a layer to the part within the picture; null if it lies outside.
 * @param {Pixels} upper
 * @param {Pixels} below
 * @param {number} left
 * @param {number} top
 */
function cut(upper, below, left, top) {
  const [x, y] = [Math.max(0, -left), Math.max(0, -top)];
  const width = Math.min(upper.width, below.width - left) - x;
  const height = Math.min(upper.height, below.height - top) - y;
  if (width <= 0 || height <= 0) return null;
  if (width === upper.width && height === upper.height) return upper;
  const data = Buffer.alloc(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * upper.width + x) * 4;
    upper.data.copy(data, row * width * 4, from, from + width * 4);
  }
  return { data, width, height };
}

/** @param {import('sharp').Sharp} pipeline @returns {Promise<Pixels>} */
async function flat(pipeline) {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** @param {Pixels} pixels */
function toSharpInput({ data, width, height }) {
  return { input: data, raw: { width, height, channels: /** @type {const} */ (4) } };
}

/** @param {Pixels} pixels */
function asSharp(pixels) {
  return sharp(pixels.data, { raw: toSharpInput(pixels).raw, limitInputPixels: false });
}
