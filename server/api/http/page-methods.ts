import type { IncomingMessage } from 'node:http';

const READ = ['GET', 'HEAD'] as const;

/**
 * Routes behind Next that accept other methods than GET and HEAD; a test compares this with their
 * files.
 */
const ROUTES: readonly [path: RegExp, methods: readonly string[]][] = [
  [/^\/api\/(?:auth|trpc)\//, [...READ, 'POST']],
  [/^\/(?:api\/stripe\/webhook|dashboard\/playground\/run)\/?$/, ['POST']],
  [/^\/stripe-standin(?:\/|$)/, [...READ, 'POST', 'DELETE']],
];

/** The methods that a path behind Next accepts, without OPTIONS. */
export function allowedMethods(path: string): readonly string[] {
  return ROUTES.find(([route]) => route.test(path))?.[1] ?? READ;
}

/**
 * Whether a program sends a page a method that it does not accept, such as POST /tools/call: then
 * the dispatcher answers with the Error shape and the route that was meant.
 */
export function isMisdirected(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  path: string,
): boolean {
  if (method === 'OPTIONS' || allowedMethods(path).includes(method)) return false;
  return !headers.accept?.includes('text/html');
}
