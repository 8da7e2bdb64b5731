import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NOSNIFF, transportSecurity } from '../../core/http/headers';

const NONCE_BYTES = 16;
/** Request header that passes the nonce to the root layout. A client's own value is overwritten. */
const NONCE_HEADER = 'x-nonce';
/**
 * Browser chat applications open this page in a popup and wait for it to return. A strict opener
 * policy would cut it off; `useSettled` guards against what the opener could do.
 */
const CONSENT = '/oauth/authorize';

/** Browser features that neither our pages nor their embedded content use. */
const REFUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'xr-spatial-tracking',
];

/** RFC 8631 and RFC 9727: the front page links the OpenAPI document, guides and API catalogue. */
const FRONT_PAGE_LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
].join(', ');

interface PageHeadersOptions {
  baseUrl: string;
  /** React rebuilds stacks with eval, and edits arrive over a WebSocket. */
  dev: boolean;
}

/**
 * Sets the headers of every page. Next reads the nonce from the request's policy header and puts it
 * on each script it writes; any other script has no nonce and does not run.
 */
export function pageHeaders({ baseUrl, dev }: PageHeadersOptions) {
  const https = baseUrl.startsWith('https:');
  const constant = Object.entries({
    ...NOSNIFF,
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': REFUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    ...transportSecurity(https),
  });
  return (req: IncomingMessage, res: ServerResponse, path: string): void => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const policy = contentSecurityPolicy(nonce, { dev, https });
    req.headers['content-security-policy'] = policy;
    req.headers[NONCE_HEADER] = nonce;
    res.setHeader('Content-Security-Policy', policy);
    for (const [name, value] of constant) res.setHeader(name, value);
    res.setHeader('Cross-Origin-Opener-Policy', path === CONSENT ? 'unsafe-none' : 'same-origin');
    if (path === '/') res.setHeader('Link', FRONT_PAGE_LINKS);
    // Rewrites in next.config.ts answer these in Markdown on request.
    if (path === '/' || /^\/docs(?:\/|$)/.test(path)) res.setHeader('Vary', 'Accept');
  };
}

/** The Content-Security-Policy of one page response. */
export function contentSecurityPolicy(
  nonce: string,
  { dev, https }: { dev: boolean; https: boolean },
): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // Bars and charts set their width in style attributes, and the toast and modal libraries insert
    // style elements. Neither can run a script.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "frame-src 'self' blob:",
    `connect-src 'self'${dev ? ' ws: wss:' : ''}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
