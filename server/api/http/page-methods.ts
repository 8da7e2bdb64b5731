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
