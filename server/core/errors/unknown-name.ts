import { findNearest } from '../../kit/nearest';

/** Names with a larger edit distance are not suggested. */
const MAX_DISTANCE = 2;
const MAX_SHOWN_CHARS = 64;

/** Returns the known name that was probably meant, or undefined. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  return findNearest(name, known, maxDistance(name));
}

/** The edit distance up to which a known name is suggested for this one. */
export function maxDistance(name: string): number {
  return Math.min(MAX_DISTANCE, Math.max(1, Math.floor(name.length / 3)));
}

/** Formats `Unknown tool "txt". Did you mean "text"?`, with backticks around the names. */
export function unknownName(what: string, name: string, known: Iterable<string>, of = ''): string {
  const nearest = nearestName(name, known);
  return `Unknown ${what} ${quoteName(name)}${of && ` of ${quoteName(of)}`}.${nearest === undefined ? '' : ` Did you mean ${quoteName(nearest)}?`}`;
}

/** Formats a name as one short line between backticks. */
export function quoteName(name: string): string {
  const line = name.replace(/[`\p{C}\p{Z}]+/gu, ' ');
  return `\`${line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line}\``;
}
