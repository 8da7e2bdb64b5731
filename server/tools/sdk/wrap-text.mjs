import { measureWidth } from './roboto.mjs';

/** After spaces, and after the characters of scripts that write no spaces. */
const BREAK = /(?<= )|(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}、。，])/u;

/**
 * Breaks a text into lines, by its own line breaks and between words. A longer word overflows.
 * @param {string} text
 * @param {{ size: number, bold?: boolean, maxWidth: number }} font in pixels
 * @returns {string[]} at least one line
 */
export function wrapText(text, { size, bold = false, maxWidth }) {
  const lines = [];
  for (const paragraph of text.split(/\r?\n/)) {
    let line = '';
    for (const part of paragraph
      .replace(/[ \t]+/g, ' ')
      .trim()
      .split(BREAK)) {
      if (line !== '' && measureWidth((line + part).trimEnd(), size, bold) > maxWidth) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += part;
    }
    lines.push(line.trimEnd());
  }
  return lines;
}
