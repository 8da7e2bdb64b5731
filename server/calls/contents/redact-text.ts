import { redact } from '../../kit/log-line';

export const HIDDEN = '[redacted]';
/** Shorter texts have no secret without a name. */
const SHORTEST_SECRET = 14;

const NAMES =
  'pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|access|account|private|secret|signing|session)[-_]?key|authorization|cookie|credentials|session[-_]?id';

// Each pattern reads a text in linear time: it starts only where a word does, or is bounded.

/** Secrets of other services, in any text. */
const SECRETS: readonly RegExp[] = [
  /\bbearer\s+(?=[\w.~+/-]*\d)[\w.~+/-]{8,}=*/gi,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\b(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abeprs]|xapp|hf|re|r8|npm|shpat|whsec)[-_][\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bhooks\.slack\.com\/services\/[\w/]{10,}/g,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
];

/** Values with a secret name; the first group stays. */
const NAMED: readonly RegExp[] = [
  // JSON in a text, once or repeatedly escaped, and objects as Python writes them.
  new RegExp(`((?:${NAMES})"\\s*:\\s*")(?:\\\\[\\s\\S]|[^"\\\\])+`, 'gi'),
  new RegExp(`((?:${NAMES})\\\\+"\\s*:\\s*\\\\+")[^"\\\\]+`, 'gi'),
  new RegExp(`((?:${NAMES})'\\s*:\\s*')[^']+`, 'gi'),
  // Lines of headers, also in a command.
  /(?<![\w-])((?:(?:proxy-)?authorization|x-[a-z-]*(?:key|token|secret|auth)|api-?key)[ \t]*:[ \t]*)[^\s"'][^\r\n"']*/gi,
  /(?<![\w-])((?:set-)?cookie[ \t]*:[ \t]*)[^\s=;:"']+=[^\r\n"']*/gi,
  // Forms, variables and parameters of URLs.
  new RegExp(
    `((?:^|[\\s?&#;,"'({])[\\w.%[\\]-]*(?:${NAMES})(?:%5D|\\])?=)(?:"[^"]*"?|'[^']*'?|[^&\\s"';,)}]+)`,
    'gi',
  ),
  /([?&#](?:[\w.-]*(?:key|signature|sig))=)[^&\s"']+/gi,
  // Lines of a configuration.
  new RegExp(`(^[ \\t]*[\\w.-]*(?:${NAMES}):[ \\t]+)\\S+(?=[ \\t]*\\r?$)`, 'gim'),
  /((?<!\S)(?:-u|--user)[ =]["']?[^\s:"']+:)[^\s"']+/g,
];

const BASIC = /\b(basic\s+)([A-Za-z0-9+/]{8,}=*)/gi;

/** Replaces what looks like a secret in a text. */
export function redactText(text: string): string {
  const hasNames = text.includes(':') || text.includes('=');
  if (text.length < SHORTEST_SECRET && !hasNames) return text;
  let clean = redact(text);
  for (const pattern of SECRETS) clean = clean.replace(pattern, HIDDEN);
  if (hasNames) for (const pattern of NAMED) clean = clean.replace(pattern, `$1${HIDDEN}`);
  return clean.replace(BASIC, (whole, scheme: string, code: string) =>
    isUserAndPassword(code) ? `${scheme}${HIDDEN}` : whole,
  );
}

/** Characters read past a cut, so that a secret across it is still recognized. */
const PAST_CUT = 500;

/** A text that may repeat what a client sent, as it is stored: without secrets, and shortened. */
export function redactAndShorten(text: string, maxChars: number): string {
  const clean = redactText(text.slice(0, maxChars + PAST_CUT).replaceAll('\0', ''));
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1)}…`;
}

/** Unlike a word, as in "basic understanding". */
function isUserAndPassword(code: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(code, 'base64').toString('latin1'));
}
