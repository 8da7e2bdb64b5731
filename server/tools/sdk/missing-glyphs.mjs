// Finds the characters that resvg draws as an empty box.
import { Resvg } from '@resvg/resvg-js';
import { isCovered, ROBOTO } from './roboto.mjs';

/** A noncharacter, which no font has: it is drawn as the box. */
const BOX = '\u{10FFFE}';
const SIDE = 24;
const COLUMNS = 16;
/** More are not tried: a text has either few such characters or a script without a font. */
const MAX_TRIED = 127;
const MAX_NAMED = 20;

/**
 * Lists the characters of a text that neither Roboto nor a font of this machine has. Loads the
 * machine's fonts if Roboto does not cover the text, which is slow.
 * @param {string} text
 * @returns {string[]} each character once, in order
 */
function findMissingGlyphs(text) {
  const open = [...new Set(text)].filter(
    (char) => !isCovered(char) && !/[\p{M}\p{Cc}\p{Cf}\p{Cs}]/u.test(char),
  );
  if (open.length === 0) return [];
  const tried = [BOX, ...open.slice(0, MAX_TRIED)];
  const cells = tried.map(
    (char, at) =>
      `<svg x="${(at % COLUMNS) * SIDE}" y="${Math.floor(at / COLUMNS) * SIDE}" width="${SIDE}" height="${SIDE}"><text x="4" y="18" font-size="12">${char}</text></svg>`,
  );
  const [width, height] = [COLUMNS * SIDE, Math.ceil(tried.length / COLUMNS) * SIDE];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Roboto">${cells.join('')}</svg>`;
  const font = { loadSystemFonts: true, fontFiles: [ROBOTO.regular], defaultFontFamily: 'Roboto' };
  const { pixels } = new Resvg(svg, { font }).render();
  const drawn = tried.map((_, at) => readCell(pixels, at, width));
  return tried.filter((_, at) => at > 0 && drawn[at] === drawn[0]);
}

/**
 * Warns of characters that a picture shows as boxes.
 * @param {string} text
 * @returns {string | null} the beginning of a warning, which ends with the characters
 */
export function describeMissingGlyphs(text) {
  const missing = findMissingGlyphs(text);
  if (missing.length === 0) return null;
  const more = missing.length > MAX_NAMED ? '…' : '';
  return `The gateway has no font for these characters, which the picture shows as boxes: ${missing.slice(0, MAX_NAMED).join('')}${more}.`;
}

/** @param {Buffer} pixels RGBA @param {number} at @param {number} width of the picture */
function readCell(pixels, at, width) {
  const [left, top] = [(at % COLUMNS) * SIDE, Math.floor(at / COLUMNS) * SIDE];
  let cell = '';
  for (let y = top; y < top + SIDE; y += 1)
    cell += pixels.toString('latin1', (y * width + left) * 4, (y * width + left + SIDE) * 4);
  return cell;
}
