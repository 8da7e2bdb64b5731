import { createHash } from 'node:crypto';

/** How a session token stands in the database. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** next-auth's cookie: the `__Secure-` form under https. */
export function sessionCookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}
