// Draws text on pictures: resvg renders an SVG that we build, with pdfmake's fonts, so it looks the
// same on every machine. Caller text is escaped and only ever becomes the content of a <text>.
import { Resvg } from '@resvg/resvg-js';
import { isCovered, measureWidth, ROBOTO } from '../sdk/roboto.mjs';
import { wrapText } from '../sdk/wrap-text.mjs';

/**
 * @typedef {object} Label
 * @property {string} text
 * @property {number} size of the font, in pixels
 * @property {string} colour
 * @property {boolean} bold
 * @property {'left' | 'center' | 'right'} align
 * @property {number} maxWidth in pixels; longer lines are wrapped
 * @property {string | undefined} [background] of the box around the text
 * @property {string | undefined} [outline] colour of an outline around the letters
 */

const LINE_HEIGHT = 1.25;
/** Of the box around the text, as a multiple of the font size. */
const PADDING = 0.45;
const OUTLINE = 0.12;

/**
 * @param {Label} label
 * @returns {Buffer} a PNG
 */
export function drawLabel(label) {
  const { size, bold, align } = label;
  const lines = wrapText(label.text, label);
  const widest = Math.max(...lines.map((line) => measureWidth(line, size, bold)));
  const padding = label.background ? size * PADDING : size * OUTLINE;
  const width = Math.ceil(widest + 2 * padding);
  const height = Math.ceil(lines.length * size * LINE_HEIGHT + 2 * padding);
  const x = { left: padding, center: width / 2, right: width - padding }[align];
  const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
  const tspans = lines
    .map(
      (line, at) =>
        `<text x="${x}" y="${padding + size * (at * LINE_HEIGHT + 0.98)}">${escapeXml(line)}</text>`,
    )
    .join('');
  const box = label.background
    ? `<rect width="${width}" height="${height}" rx="${size * 0.2}" fill="${label.background}"/>`
    : '';
  const stroke = label.outline
    ? `stroke="${label.outline}" stroke-width="${size * OUTLINE}" stroke-linejoin="round" paint-order="stroke"`
    : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${box}<g xml:space="preserve" font-family="Roboto" font-size="${size}" font-weight="${bold ? 500 : 400}" fill="${label.colour}" text-anchor="${anchor}" ${stroke}>${tspans}</g></svg>`;
  return rasterize(svg, !isCovered(label.text));
}

/**
 * Draws a mask for round corners: white where the picture stays visible.
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
export function drawCorners(width, height, radius) {
  return rasterize(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}" fill="#fff"/></svg>`,
    false,
  );
}

/**
 * @param {string} svg
 * @param {boolean} withSystemFonts for characters that Roboto lacks; these fonts are slow to load
 */
function rasterize(svg, withSystemFonts) {
  const font = {
    loadSystemFonts: withSystemFonts,
    fontFiles: [ROBOTO.regular, ROBOTO.medium],
    defaultFontFamily: 'Roboto',
  };
  return new Resvg(svg, { font }).render().asPng();
}

/** Escapes a text for XML and drops characters that XML does not allow. @param {string} text */
function escapeXml(text) {
  return (
    // The round trip through UTF-8 replaces lone surrogates.
    Buffer.from(text)
      .toString()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
      .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, '')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
  );
}
