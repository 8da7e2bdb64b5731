import type { Runtime } from '../../core/runtime';
import { hashToken, hasTokenFormat } from './oauth-token';
import { findKeyHashByToken } from './store';

/** Whether a bearer token looks like an application's access token, well-formed or not. */
export function isAccessToken(presented: string): boolean {
  return presented.startsWith('tg_oat_');
}

/**
 * Finds the key of an application's access token. Use only at /mcp, where such tokens are valid.
 * @returns null if the token is unknown, expired or revoked
 */
export async function findGrant(
  { db }: Pick<Runtime, 'db'>,
  accessToken: string,
): Promise<{ keyHash: string } | null> {
  if (!hasTokenFormat('access', accessToken)) return null;
  const keyHash = await findKeyHashByToken(db, hashToken(accessToken));
  return keyHash === null ? null : { keyHash };
}
