/** Markup. Only `html` creates it; all other values are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | null | undefined | false | readonly Html[];

/**
 * A template tag: escapes text, inserts markup and lists of it, and omits null, undefined and
 * false.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0] ?? '';
  for (const [at, piece] of pieces.entries()) text += render(piece) + (strings[at + 1] ?? '');
  return new Html(text);
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(({ text }) => text).join('');
  return escapeText(String(piece));
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

/** E.g. `$10.80`, or `10.80 EUR`. */
export function formatMoney(cents: number, currency = 'usd'): string {
  const sum = (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return currency === 'usd' ? `$${sum}` : `${sum} ${currency.toUpperCase()}`;
}

/** E.g. `2026-11-21 12:05 UTC`. */
export function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
