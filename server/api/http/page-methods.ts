const READ = ['GET', 'HEAD'] as const;

/**
 * Methods of routes behind Next that take more than GET and HEAD, or others; a test compares it
 * with their files.
 */
const ROUTES: readonly [path: RegExp, methods: readonly string[]][] = [
  [/^\/api\/(?:auth|trpc)\//, [...READ, 'POST']],
  [/^\/(?:api\/stripe\/webhook|dashboard\/playground\/run)\/?$/, ['POST']],
  [/^\/stripe-standin(?:\/|$)/, [...READ, 'POST', 'DELETE']],
];

/** The methods that a path behind Next may be asked with, OPTIONS aside. */
export function allowedMethods(path: string): readonly string[] {
  return ROUTES.find(([route]) => route.test(path))?.[1] ?? READ;
}
