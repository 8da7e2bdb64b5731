import { GatewayError } from '../core/errors/gateway-error';

const CALL_ID = /^call_[0-9a-z]{20,40}$/;

/** Cursor for the calls after this one. */
export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws GatewayError INVALID_INPUT for an invalid cursor */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  if (CALL_ID.test(id)) return id;
  throw new GatewayError('INVALID_INPUT', {
    message: 'cursor: Use next_cursor from the previous page.',
    details: { fields: [{ path: 'cursor', message: 'Use next_cursor from the previous page.' }] },
  });
}
