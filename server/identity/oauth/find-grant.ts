import type { Runtime } from '../../core/runtime';
import { hashToken, isTokenOf } from './oauth-token';
import { findKeyHashByToken } from './store';

/** Whether what was presented is meant as an application's access token, well-formed or not. */
export function isAccessToken(presented: string): boolean {
  return presented.startsWith('tg_oat_');
}

/**
 * The key that an application's access token stands for. Only for where such tokens are good: at /mcp.
 * @returns null where the token is unknown, expired or revoked
 */
export async function findGrant({ db }: Runtime, accessToken: string): Promise<{ keyHash: string } | null> {
  if (!isTokenOf('access', accessToken)) return null;
  const keyHash = await findKeyHashByToken(db, hashToken(accessToken));
  return keyHash === null ? null : { keyHash };
}
