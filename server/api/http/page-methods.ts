import type { IncomingMessage } from 'node:http';

const READ = ['GET', 'HEAD'] as const;

/**
 * Routes behind Next that accept other methods than GET and HEAD; a test compares this with their
 * files.
 */
const ROUTES: readonly [path: RegExp, methods: readonly string[]][] = [
  [/^\/api\/(?:auth|trpc)\//, [...READ, 'POST']],
  [/^\/(?:api\/stripe\/webhook|dashboard\/playground\/run)\/?$/, ['POST']],
  [/^\/fake-stripe(?:\/|$)/, [...READ, 'POST', 'DELETE']],
];

/** The paths behind Next by their beginnings; a test compares them with the files. */
const PAGES =
  /^\/(?:$|(?:_next|api\/(?:auth|cron|live|stripe|trpc)|assets|brand|claim|compare|dashboard|docs|email|files|goodbye|inbox|join|oauth|operator|pricing|sign-in|status|fake-stripe|tools)(?:\/|$)|(?:icon\.svg|llms\.txt|manifest\.webmanifest|robots\.txt|sitemap\.xml|skill\.md)$|\.well-known\/(?:agent-skills\/|api-catalog$|oauth-|security\.txt$))/;
/** Routes of the API without their prefix, where a page has a parameter. */
const UNPREFIXED_ROUTES = /^\/(?:tools\/(?:search|call|batch)|assets\/upload)$/;

/** Whether Next may have a page or route at a path. A route of the API without /v1 is none. */
export function isPagePath(path: string): boolean {
  return PAGES.test(path) && !UNPREFIXED_ROUTES.test(path);
}

/** The methods that a path behind Next accepts, without OPTIONS. */
export function allowedMethods(path: string): readonly string[] {
  return ROUTES.find(([route]) => route.test(path))?.[1] ?? READ;
}

/**
 * Whether a program sends a path behind Next what nothing there accepts, such as GET /api/tools:
 * then the dispatcher answers with the Error shape and the route that was meant, not with a page.
 */
export function isMisdirected(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
): boolean {
  if (method === 'OPTIONS' || headers.accept?.includes('text/html')) return false;
  if (!allowedMethods(path).includes(method)) return true;
  // Next's own requests for a page have this header, and accept anything.
  return !isPagePath(path) && headers.rsc === undefined;
}
