/** What is counted or logged about an address is one of few words: strangers must not make up new ones. */
const OTHER = 'other';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** First segments of pages and of what they load. */
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
  'stripe-standin',
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
  '/robots.txt',
  '/sitemap.xml',
]);
/** Asked all day by machines that watch: in the log only for who wants everything. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/_next/*']);

/** The address of a request without what is anybody's own in it: a fixed path, or the first segment of a page. */
export function routeOfPath(target: string): string {
  const path = target.split('?', 1)[0] as string;
  if (FIXED.has(path)) return path;
  const first = path.split('/', 2)[1] ?? '';
  return PAGES.has(first) ? `/${first}/*` : OTHER;
}

export function methodName(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

export function isQuiet(route: string): boolean {
  return QUIET.has(route);
}
