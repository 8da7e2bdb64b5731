// pdfmake ships these fonts, so rendered text looks the same on every machine, without network.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const FOLDER = path.join(path.dirname(createRequire(import.meta.url).resolve('pdfmake')), '../fonts/Roboto');

/** Paths of the font files. Bold text uses Medium. */
export const ROBOTO = {
  regular: path.join(FOLDER, 'Roboto-Regular.ttf'),
  medium: path.join(FOLDER, 'Roboto-Medium.ttf'),
  italic: path.join(FOLDER, 'Roboto-Italic.ttf'),
  mediumItalic: path.join(FOLDER, 'Roboto-MediumItalic.ttf'),
};

/**
 * @typedef {{ advances: Map<number, number> }} Metrics by code point, as a multiple of the font
 *   size
 */

/** @type {Map<string, Metrics>} */
const loaded = new Map();

/**
 * Measures the width of a line of text, in pixels.
 * @param {string} text
 * @param {number} size of the font, in pixels
 * @param {boolean} [bold]
 */
export function measureWidth(text, size, bold = false) {
  const file = bold ? ROBOTO.medium : ROBOTO.regular;
  let metrics = loaded.get(file);
  if (!metrics) {
    metrics = readMetrics(readFileSync(file));
    loaded.set(file, metrics);
  }
  let width = 0;
  // Characters that Roboto lacks, such as ideographs and emoji, count as one em wide.
  for (const char of text) width += metrics.advances.get(char.codePointAt(0) ?? 0) ?? 1;
  return width * size;
}

/** Whether Roboto has a glyph for every character. @param {string} text */
export function isCovered(text) {
  measureWidth('', 1);
  const advances = loaded.get(ROBOTO.regular)?.advances;
  return [...text].every((char) => /\s/.test(char) || advances?.has(char.codePointAt(0) ?? 0));
}

/**
 * Reads the tables cmap (format 4) and hmtx of a TrueType font.
 * @param {Buffer} font
 * @returns {Metrics}
 */
function readMetrics(font) {
  const table = (/** @type {string} */ name) => {
    for (let at = 12; at < 12 + font.readUInt16BE(4) * 16; at += 16)
      if (font.toString('latin1', at, at + 4) === name) return font.readUInt32BE(at + 8);
    throw new Error(`The font has no table ${name}`);
  };
  const [head, hhea, hmtx, cmap] = [table('head'), table('hhea'), table('hmtx'), table('cmap')];
  const unitsPerEm = font.readUInt16BE(head + 18);
  const longMetrics = font.readUInt16BE(hhea + 34);
  const getAdvance = (/** @type {number} */ glyph) =>
    font.readUInt16BE(hmtx + Math.min(glyph, longMetrics - 1) * 4) / unitsPerEm;
  const advances = new Map();
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index += 1) {
    const start = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4);
    if (font.readUInt16BE(start) !== 4) continue;
    for (const [code, glyph] of readSegments(font, start)) advances.set(code, getAdvance(glyph));
  }
  return { advances };
}

/**
 * @param {Buffer} font
 * @param {number} start
 * @returns {Generator<[number, number]>} pairs of code point and glyph
 */
function* readSegments(font, start) {
  const bytes = font.readUInt16BE(start + 6);
  const [ends, starts, deltas, offsets] = [
    start + 14,
    start + 16 + bytes,
    start + 16 + 2 * bytes,
    start + 16 + 3 * bytes,
  ];
  for (let at = 0; at < bytes; at += 2) {
    const [first, last] = [font.readUInt16BE(starts + at), font.readUInt16BE(ends + at)];
    const [delta, offset] = [font.readUInt16BE(deltas + at), font.readUInt16BE(offsets + at)];
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const found = offset === 0 ? code : font.readUInt16BE(offsets + at + offset + 2 * (code - first));
      const glyph = found === 0 ? 0 : (found + delta) & 0xffff;
      if (glyph !== 0) yield [code, glyph];
    }
  }
}
