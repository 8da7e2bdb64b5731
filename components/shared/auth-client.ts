import { forgetTab } from './tab-storage';

/**
 * Sign-in and sign-out from the browser. next-auth's own client has more features (sessions, tab
 * sync, a React provider) and adds 9 kB to every page; this uses the same routes.
 */

interface SignInOutcome {
  /** next-auth's error code; null on success. */
  error: string | null;
  /** The URL to continue at. */
  url: string;
}

/**
 * Starts a sign-in: sends the email, or returns the provider's URL.
 * @throws if the gateway does not respond
 */
export async function beginSignIn(
  provider: 'email' | 'github' | 'google' | 'oidc',
  fields: { callbackUrl: string; email?: string },
): Promise<SignInOutcome> {
  const { url } = await postAuth(`signin/${provider}`, fields);
  return { url, error: new URL(url, window.location.href).searchParams.get('error') };
}

/**
 * Ends this session, then navigates to `to`.
 * @throws if the gateway does not respond
 */
export async function signOut(to: string): Promise<void> {
  const { url } = await postAuth('signout', { callbackUrl: to });
  forgetTab();
  // A full page load, so that no state of the previous pages remains in this tab.
  window.location.href = url;
}

async function postAuth(path: string, fields: Record<string, string>): Promise<{ url: string }> {
  const csrf: { csrfToken: string } = await readJson(await fetch('/api/auth/csrf'));
  const body = new URLSearchParams({ ...fields, csrfToken: csrf.csrfToken, json: 'true' });
  return await readJson(await fetch(`/api/auth/${path}`, { method: 'POST', body }));
}

/** A refused sign-in is a JSON response too, with its error code in the URL. */
async function readJson<T>(response: Response): Promise<T> {
  if (!response.headers.get('content-type')?.includes('json'))
    throw new Error(`The gateway responded with status ${response.status}.`);
  return await response.json();
}
