// Runs in a worker process: a large symbol takes up to half a second, and the library is 1 MB.
import bwip from 'bwip-js/node';

/**
 * @typedef {object} Drawing
 * @property {string} symbology name of the symbology in bwip-js
 * @property {string} text content to encode, already validated
 * @property {'svg' | 'png'} format
 * @property {number} size requested width of the picture, in pixels
 * @property {number} margin quiet zone, in modules
 * @property {string} foreground six hex digits
 * @property {string | null} background six hex digits; null is transparent
 * @property {string} [errorCorrection]
 * @property {boolean} [showText]
 */

/**
 * @typedef {{ ok: true, content: string, width: number, height: number, modules: number }
 *   | { ok: false, message: string }} Drawn
 */

/** Symbols of square modules, which bwip-js draws two units wide at scale 1; bars are one unit. */
const MATRIX = new Set(['qrcode', 'datamatrix', 'azteccode']);

/**
 * Draws one symbol.
 * @param {Drawing} drawing
 * @returns {Promise<Drawn>} content is SVG markup, or a data URI of a PNG
 */
export async function draw(drawing) {
  const options = {
    bcid: drawing.symbology,
    text: drawing.text,
    padding: drawing.margin * (MATRIX.has(drawing.symbology) ? 2 : 1),
    barcolor: drawing.foreground,
    // Code 93 needs its check characters to be readable; the other symbologies add theirs anyway.
    includecheck: drawing.symbology === 'code93',
    ...(drawing.background === null ? {} : { backgroundcolor: drawing.background }),
    ...(drawing.errorCorrection === undefined ? {} : { eclevel: drawing.errorCorrection }),
    ...(drawing.showText
      ? { includetext: true, textxalign: /** @type {const} */ ('center'), textcolor: drawing.foreground }
      : {}),
  };
  /** @type {string} */
  let svg;
  try {
    svg = bwip.toSVG({ ...options, scale: 1 });
  } catch (error) {
    return { ok: false, message: getMessage(error) };
  }
  const [unitWidth, unitHeight] = readViewBox(svg);
  const modules = Math.round(unitWidth / (MATRIX.has(drawing.symbology) ? 2 : 1)) - 2 * drawing.margin;
  if (drawing.format === 'svg') {
    const height = Math.round((drawing.size * unitHeight) / unitWidth);
    const content = svg.replace('<svg ', `<svg width="${drawing.size}" height="${height}" `).trim();
    return { ok: true, content, width: drawing.size, height, modules };
  }
  // Whole pixels per module: scanners misread blurred edges, and bwip-js rounds fractional scales.
  const png = await bwip.toBuffer({ ...options, scale: Math.max(1, Math.floor(drawing.size / unitWidth)) });
  return {
    ok: true,
    content: `data:image/png;base64,${png.toString('base64')}`,
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    modules,
  };
}

/** @param {string} svg @returns {[number, number]} */
function readViewBox(svg) {
  const match = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  if (!match) throw new Error('bwip-js wrote an SVG without a viewBox');
  return [Number(match[1]), Number(match[2])];
}

/**
 * Removes the library's prefix from a message such as
 * `bwipp.qrcodeNoValidSymbol#27236: Maximum length exceeded`.
 * @param {unknown} error
 */
function getMessage(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^bwipp?[\w.-]*(#\d+)?:\s*/, '').replace(/\.$/, '');
}
