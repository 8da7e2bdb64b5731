import type { IncomingMessage } from 'node:http';

/** Paths that are answered before Next. */
export function isFrontPath(url: string): boolean {
  const query = url.indexOf('?');
  let path = query === -1 ? url : url.slice(0, query);
  // A proxy's absolute form: GET http://host/v1/tools
  if (path[0] !== '/') path = path.replace(/^https?:\/\/[^/]*/i, '');
  // Any version: an unknown one is refused as the API refuses, not with a page.
  return (
    /^\/(v\d+(\/|$)|files\/)/.test(path) ||
    path === '/openapi.json' ||
    path === '/mcp' ||
    path === '/healthz' ||
    path === '/readyz' ||
    path === '/metrics' ||
    /^\/(\.well-known\/oauth-|oauth\/(register|token|revoke)$)/.test(path) ||
    // Of the dashboard only its uploads: Next would keep their bytes in memory on their way.
    path === '/dashboard/assets/upload'
  );
}

/** HTTP/1.1 has exactly one (RFC 9112 section 3.2): with two, a proxy and we may believe different ones. */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (httpVersion === '1.0') return hosts <= 1;
  return hosts === 1 && httpVersion === '1.1';
}

/** Path and query of an absolute-form target, which Next would answer with a redirect; its host is not believed. */
export function originForm(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return rest[0] === '/' || rest === '*' ? rest : `/${rest}`;
}
