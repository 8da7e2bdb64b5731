import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const NONCE_BYTES = 16;
/**
 * The pages' own request header: how the root layout learns the nonce. A client's is overwritten.
 */
const NONCE_HEADER = 'x-nonce';
const HSTS_SECONDS = 365 * 24 * 3600;
/**
 * Chat applications in a browser open it as a window of theirs and wait for that window to come
 * back to them: cut off from them, the answer would never arrive. What they could do to it by that
 * is what `useSettled` is for.
 */
const CONSENT = '/oauth/authorize';

/** Features of the browser that no page of ours uses, nor anything that is shown in one. */
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

/**
 * RFC 8631, RFC 9727: from the front page alone a program finds the document, the guides and the
 * catalogue of APIs.
 */
const FRONT_PAGE_LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
].join(', ');

interface PageHeadersOptions {
  baseUrl: string;
  /** React rebuilds stacks with eval, and edits come over a socket. */
  dev: boolean;
}

/**
 * What every page is sent with. Next reads the nonce from the request's own policy header and puts
 * it on each script it writes; a script that came into the page any other way has none, and does
 * not run.
 */
export function pageHeaders({ baseUrl, dev }: PageHeadersOptions) {
  const https = baseUrl.startsWith('https:');
  const constant = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'same-origin'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', REFUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
    // Not for names below ours: those are the operator's to decide on.
    ...(https ? [['Strict-Transport-Security', `max-age=${HSTS_SECONDS}`]] : []),
  ] as [name: string, value: string][];
  return (req: IncomingMessage, res: ServerResponse, path: string): void => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const policy = contentSecurityPolicy(nonce, { dev, https });
    req.headers['content-security-policy'] = policy;
    req.headers[NONCE_HEADER] = nonce;
    res.setHeader('Content-Security-Policy', policy);
    for (const [name, value] of constant) res.setHeader(name, value);
    res.setHeader('Cross-Origin-Opener-Policy', path === CONSENT ? 'unsafe-none' : 'same-origin');
    if (path === '/') res.setHeader('Link', FRONT_PAGE_LINKS);
  };
}

/** The policy of one answer. */
export function contentSecurityPolicy(
  nonce: string,
  { dev, https }: { dev: boolean; https: boolean },
): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // Widths of bars and charts are style attributes that the server writes, and the libraries of
    // toasts and modals put style elements into the page: no script can be made of either.
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
