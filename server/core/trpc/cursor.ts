import { ID_PREFIXES, type IdKind } from '../../kit/ids';
import { GatewayError } from '../errors/gateway-error';

/** The cursor of the page after this id. Lists are in the order of ids, which never change. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/**
 * Returns the id after which a page starts.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export function decodeCursor(cursor: string, kind: IdKind): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, prefix] = /^([a-z]{1,10})_[0-9a-z]{20,40}$/.exec(id) ?? [];
  if (prefix === ID_PREFIXES[kind]) return id;
  throw invalidCursor();
}

export function invalidCursor(): GatewayError {
  const message = 'Use next_cursor from the previous page.';
  return new GatewayError('INVALID_INPUT', {
    message: `cursor: ${message}`,
    details: { fields: [{ path: 'cursor', message }] },
  });
}
