const PLAIN = /^[A-Za-z0-9_.:-]+$/;

/**
 * A Postgres array literal. The driver guesses the element type of a JavaScript array from its first element and
 * cannot say boolean[]; a literal with a cast beside it says what it is, and costs half as much to send.
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
