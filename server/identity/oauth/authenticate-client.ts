import { timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../../core/runtime';
import { OAuthError } from './oauth-error';
import { hashToken } from './oauth-token';
import { type ClientRow, findClientRow } from './store';

/** Client credentials, from a Basic header or the body; a public client has an id alone. */
export interface ClientCredentials {
  id: string;
  secret: string | null;
}

/**
 * Authenticates a client (RFC 6749 section 2.3). A public client has no secret; PKCE and refresh
 * token rotation protect it.
 * @throws OAuthError invalid_client
 */
export async function authenticateClient(
  { db }: Pick<Runtime, 'db'>,
  { id, secret }: ClientCredentials,
): Promise<ClientRow> {
  const client = await findClientRow(db, id);
  if (client?.secretHash == null ? client !== null && secret === null : matches(client.secretHash, secret))
    return client as ClientRow;
  throw new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong or missing.', {
    status: 401,
  });
}

function matches(secretHash: Buffer, secret: string | null): boolean {
  if (secret === null) return false;
  const given = hashToken(secret);
  return given.length === secretHash.length && timingSafeEqual(given, secretHash);
}
