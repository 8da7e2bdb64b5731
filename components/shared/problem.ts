import { errorText, gatewayError } from './trpc-provider';

/** An error in words for a person in the dashboard: what happened, then what to do. */
export function problemText(error: unknown): string {
  const code = gatewayError(error)?.code;
  if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED')
    return 'You are signed out. Reload the page and sign in again.';
  if (code === 'NOT_FOUND') return 'This is no longer here. Reload the page to see what is.';
  return errorText(error);
}

/** What is wrong with one field, where the gateway named it. */
export function fieldProblem(error: unknown, path: string): string | null {
  return gatewayError(error)?.fields?.find((field) => field.path === path)?.message ?? null;
}
