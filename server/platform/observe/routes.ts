/** Routes in metrics and logs come from a fixed set, so that clients cannot create new labels. */
const OTHER = 'other';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** First path segments of pages and of their resources. */
const PAGES = new Set([
  '_next',
  'api',
  'assets',
  'claim',
  'dashboard',
  'docs',
  'files',
  'inbox',
  'join',
  'oauth',
  'sign-in',
  'fake-stripe',
  'tools',
  '.well-known',
]);
const FIXED = new Set([
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/mcp',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/skill.md',
  '/status',
  '/robots.txt',
  '/sitemap.xml',
]);
/** Polled all day by monitoring, so these are logged only at the debug level. */
const MONITORING_ROUTES = new Set(['/healthz', '/readyz', '/metrics', '/_next/*']);

/**
 * Maps a request target to a route without user data: a fixed path, or the first segment of a page.
 */
export function resolveRoute(target: string): string {
  const path = target.split('?', 1)[0] as string;
  if (FIXED.has(path)) return path;
  const first = path.split('/', 2)[1] ?? '';
  return PAGES.has(first) ? `/${first}/*` : OTHER;
}

export function resolveMethod(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

export function isMonitoringRoute(route: string): boolean {
  return MONITORING_ROUTES.has(route);
}
