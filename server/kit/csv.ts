/** Without it Excel reads UTF-8 as the charset of its machine. Readers of CSV skip it. */
export const CSV_BYTE_ORDER_MARK = '\uFEFF';

/** Also after what another locale takes for a separator, and full-width, which Excel reads too. */
const FORMULA_STARTS = /(^|[;\t\r\n])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Formats one CSV line (RFC 4180). Numbers are dollar amounts. Text that a spreadsheet would run
 * as a formula is prefixed with an apostrophe.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number): string {
  if (typeof value === 'number') return decimal(value);
  const safe = value.replace(FORMULA_STARTS, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Decimal notation, never an exponent: 0.000001, not 1e-6. */
function decimal(usd: number): string {
  return usd.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1');
}
