// Roboto covers Latin, Greek and Cyrillic; this maps common symbols that it lacks to similar ones.
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
    '\u00ad': '',
    '\u200b': '',
    '\u200c': '',
    '\u200d': '',
  }),
);

const MAX_NAMED = 20;

/** Collects the characters of a document that our fonts cannot draw. */
export class Glyphs {
  /** @type {Set<string>} */
  #missing = new Set();

  /** Replaces characters that have a drawable equivalent. @param {string} text */
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
      `The fonts cover Latin, Greek and Cyrillic, and cannot draw: ${named}. Use markdown_to_docx for these characters.`,
    ];
  }
}

/** Whether the code font, one of the 14 standard PDF fonts, covers a text. @param {string} text */
export function isPlain(text) {
  return /^[\n\t\x20-\x7e\xa0-\xff]*$/.test(text);
}
