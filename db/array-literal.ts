const PLAIN = /^[A-Za-z0-9_.:-]+$/;

/**
 * Formats a Postgres array literal, to be used with a cast. The driver guesses an array's type from
 * its first element and does not support boolean[]; a literal also costs half as much to send.
 */
export function arrayLiteral(values: readonly (string | number | bigint | boolean | null)[]): string {
  let out = '{';
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (i > 0) out += ',';
    if (value === null || value === undefined) out += 'NULL';
    else if (typeof value === 'string') out += quote(value);
    else out += String(value);
  }
  return `${out}}`;
}

function quote(text: string): string {
  if (PLAIN.test(text) && text.toUpperCase() !== 'NULL') return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
