import { errorText, gatewayError } from './trpc-provider';

/** A message for an error: what happened, then what to do. */
export function problemText(error: unknown): string {
  const code = gatewayError(error)?.code;
  if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED')
    return 'You are signed out. Reload the page and sign in again.';
  if (code === 'NOT_FOUND') return 'This item no longer exists. Reload the page.';
  return errorText(error);
}

/** The problem of one field, or of an element of its list, if the gateway reported one. */
export function fieldProblem(error: unknown, path: string): string | null {
  const isNamed = (field: { path: string }) => field.path === path || field.path.startsWith(`${path}[`);
  return gatewayError(error)?.fields?.find(isNamed)?.message ?? null;
}

/** Waits for a request; its rejection has a message for people, as `AlertDialog` shows it. */
export async function withProblemText<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw new Error(problemText(error));
  }
}
