import type { IncomingMessage } from 'node:http';

/**
 * Whether another site's page sent a request that may change state (threats B15). Browsers send the
 * origin of such requests; other programs do not, and carry no session cookie either.
 */
export function isForeignChange(req: IncomingMessage, baseUrl: string): boolean {
  if (req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS') return false;
  const { origin } = req.headers;
  if (origin !== undefined) return origin !== new URL(baseUrl).origin;
  return req.headers['sec-fetch-site'] === 'cross-site' || req.headers['sec-fetch-site'] === 'same-site';
}
