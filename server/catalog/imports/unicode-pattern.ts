/** Backslashes before these mean something, or are allowed, in a Unicode pattern. */
const ESCAPED = /[A-Za-z0-9^$\\.*+?()[\]{}|/]/;
const CLASS_ESCAPE = /^\\[dDsSwWpP]$/;
const QUANTIFIER = /^\{\d+(?:,\d*)?\}/;

/**
 * Rewrites a pattern that is valid JavaScript without the flag `u` to one with it, as JSON Schema
 * has: `\@` becomes `@`. Returns null for what is no JavaScript pattern, such as `(?i)a`. Pure.
 */
export function toUnicodePattern(pattern: string): string | null {
  if (isPattern(pattern, 'u')) return pattern;
  if (!isPattern(pattern, '')) return null;
  const rewritten = rewrite(pattern);
  return isPattern(rewritten, 'u') ? rewritten : null;
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

function rewrite(pattern: string): string {
  let made = '';
  let isInClass = false;
  let before = '';
  let token = readToken(pattern, 0);
  for (let at = token.length; token !== ''; ) {
    const next = readToken(pattern, at);
    made += isInClass ? rewriteInClass(token, before, next) : rewriteOutside(token);
    if (token === '[' || token === ']') isInClass = token === '[';
    before = token;
    token = next;
    at += next.length;
  }
  return made;
}

/** Returns an escape, a quantifier, or a single character. */
function readToken(pattern: string, at: number): string {
  const rest = pattern.slice(at, at + 24);
  if (rest.startsWith('\\')) return rest.slice(0, 2);
  return QUANTIFIER.exec(rest)?.[0] ?? rest.slice(0, 1);
}

function rewriteOutside(token: string): string {
  if (token === ']' || token === '{' || token === '}') return `\\${token}`;
  return dropBackslash(token);
}

/** In a class, a hyphen next to `\w` is no range. */
function rewriteInClass(token: string, before: string, next: string): string {
  if (token === '-' && next !== ']' && (CLASS_ESCAPE.test(before) || CLASS_ESCAPE.test(next))) return '\\-';
  return token === '\\-' ? token : dropBackslash(token);
}

function dropBackslash(token: string): string {
  return token.startsWith('\\') && token.length === 2 && !ESCAPED.test(token.slice(1))
    ? token.slice(1)
    : token;
}
