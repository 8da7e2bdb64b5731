import { createHash } from 'node:crypto';

/** Hashes a session token for storage. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the name of next-auth's cookie; https uses the `__Secure-` prefix. */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}
