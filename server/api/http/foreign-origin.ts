import type { IncomingMessage } from 'node:http';

/**
 * Whether a request that may change something comes from another site's page (threats B15). Browsers say where such a
 * request comes from; programs, which have no cookies of ours by accident, need not.
 */
export function isForeignChange(req: IncomingMessage, baseUrl: string): boolean {
  if (req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS') return false;
  const { origin } = req.headers;
  if (origin !== undefined) return origin !== new URL(baseUrl).origin;
  return req.headers['sec-fetch-site'] === 'cross-site' || req.headers['sec-fetch-site'] === 'same-site';
}
