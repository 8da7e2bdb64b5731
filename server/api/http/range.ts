/** In bytes, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i;

/**
 * Parses a Range header with one range (RFC 9110 section 14). Several ranges, other units and
 * invalid values count as no range: a list of ranges would make one request cost many (threats C7).
 * @returns null for the full content, `unsatisfiable` if the range starts beyond the end
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | null | 'unsatisfiable' {
  const match = header === undefined ? null : ONE_RANGE.exec(header);
  if (!match) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) };
}
