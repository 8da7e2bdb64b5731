import { ID_PREFIXES, type IdKind } from '../../kit/ids';
import { GatewayError } from '../errors/gateway-error';

/** Splits rows, of which one more than a page was read. `last` is null if no page follows. */
export function splitPage<Row>(rows: readonly Row[], limit: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}

/** The same with the cursor, for a list in the order of its ids, which never change. */
export function toPage<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; next_cursor: string | null } {
  const { page, last } = splitPage(rows, limit);
  return { page, next_cursor: last && encodeCursor(last.id) };
}

/** The cursor of the page after this position. */
export function encodeCursor(position: string): string {
  return Buffer.from(position).toString('base64url');
}

/**
 * Returns the id after which a page starts; undefined for the first page.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export function decodeCursor(cursor: string | undefined, kind: IdKind): string | undefined {
  if (cursor === undefined) return undefined;
  const [id, prefix] = matchCursor(cursor, /^([a-z]{1,10})_[0-9a-z]{20,40}$/);
  if (prefix === ID_PREFIXES[kind]) return id;
  throw invalidCursor();
}

/**
 * Reads a position in the form of the pattern.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export function matchCursor(cursor: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (found) return found;
  throw invalidCursor();
}

export function invalidCursor(): GatewayError {
  const message = 'Use next_cursor from the previous page.';
  return new GatewayError('INVALID_INPUT', {
    message: `cursor: ${message}`,
    details: { fields: [{ path: 'cursor', message }] },
  });
}
