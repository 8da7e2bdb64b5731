import { timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../../core/runtime';
import { OAuthError } from './oauth-error';
import { hashToken } from './oauth-token';
import { type ClientRow, findClientRow } from './store';

/** How a client says who it is: in a Basic header, in the body, or by its id alone. */
export interface ClientCredentials {
  id: string;
  secret: string | null;
  /** By which of the two a secret came. */
  by: 'basic' | 'body';
}

/**
 * The client that asks (RFC 6749 section 2.3). A public one proves nothing: PKCE and rotation stand in for it.
 * @throws OAuthError invalid_client
 */
export async function authenticateClient(
  { db }: Runtime,
  { id, secret, by }: ClientCredentials,
): Promise<ClientRow> {
  const client = await findClientRow(db, id);
  if (client?.secretHash == null ? client !== null && secret === null : matches(client.secretHash, secret))
    return client as ClientRow;
  const challenge = { 'WWW-Authenticate': 'Basic realm="oauth"' };
  throw new OAuthError('invalid_client', 'The client is unknown, or did not prove who it is.', {
    status: 401,
    headers: by === 'basic' ? challenge : {},
  });
}

function matches(secretHash: Buffer, secret: string | null): boolean {
  if (secret === null) return false;
  const given = hashToken(secret);
  return given.length === secretHash.length && timingSafeEqual(given, secretHash);
}
