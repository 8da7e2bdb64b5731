// Roboto has letters of Latin, Greek and Cyrillic; for common signs that it lacks there are others that say the same.
import { isCovered } from '../sdk/roboto.mjs';

const SUBSTITUTES = new Map(
  Object.entries({
    '→': '->',
    '←': '<-',
    '↔': '<->',
    '⇒': '=>',
    '⇐': '<=',
    '↑': '^',
    '↓': 'v',
    '➜': '->',
    '➡': '->',
    '✓': '√',
    '✔': '√',
    '✅': '√',
    '☑': '[x]',
    '✗': '×',
    '✘': '×',
    '✕': '×',
    '❌': '×',
    '☐': '[ ]',
    '□': '○',
    '▪': '•',
    '▶': '>',
    '►': '>',
    '★': '*',
    '☆': '*',
    '⚠': '(!)',
    ℹ: '(i)',
    '─': '-',
    '━': '-',
    '│': '|',
    '┃': '|',
    '├': '|',
    '┤': '|',
    '└': '`',
    '┌': '.',
    '┐': '.',
    '┘': "'",
    '┬': '-',
    '┴': '-',
    '┼': '+',
    '█': '#',
    '\ufe0f': '',
    '\u200d': '',
  }),
);

const MAX_NAMED = 20;

/** Notes the characters of a document that no font of ours can draw. */
export class Glyphs {
  /** @type {Set<string>} */
  #missing = new Set();

  /** The text with signs that can be drawn. @param {string} text */
  fit(text) {
    if (isCovered(text)) return text;
    return [...text]
      .map((char) => {
        const substitute = SUBSTITUTES.get(char);
        if (substitute !== undefined) return substitute;
        if (!isCovered(char)) this.#missing.add(char);
        return char;
      })
      .join('');
  }

  /** @returns {string[]} a warning, or none */
  warnings() {
    if (this.#missing.size === 0) return [];
    const named = [...this.#missing].slice(0, MAX_NAMED).join(' ');
    return [
      `The fonts have Latin, Greek and Cyrillic letters, and no signs for: ${named}. Use markdown_to_docx for these.`,
    ];
  }
}

/** Whether the font for code, one of the fourteen that every PDF reader has, can write it. @param {string} text */
export function isPlain(text) {
  return /^[\n\t\x20-\x7e\xa0-\xff]*$/.test(text);
}
