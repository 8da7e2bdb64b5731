import { forgetTab } from './tab-memory';

/**
 * Signing in and out from the browser. next-auth's own client does more (sessions, tabs, a provider of React), for which
 * it weighs 9 kB on every page; its routes are the same.
 */

interface SignInOutcome {
  /** next-auth's code; null where it went well. */
  error: string | null;
  /** Where to go on. */
  url: string;
}

/**
 * Begins to sign in: has a mail sent, or asks where the provider's page is.
 * @throws where the gateway did not answer
 */
export async function beginSignIn(
  provider: 'email' | 'github' | 'google',
  fields: { callbackUrl: string; email?: string },
): Promise<SignInOutcome> {
  const { url } = await postAuth(`signin/${provider}`, fields);
  return { url, error: new URL(url, window.location.href).searchParams.get('error') };
}

/**
 * Ends this session, then leaves for `to`.
 * @throws where the gateway did not answer
 */
export async function signOut(to: string): Promise<void> {
  const { url } = await postAuth('signout', { callbackUrl: to });
  forgetTab();
  // Not the router: nothing of the pages of before may stay in this tab.
  window.location.href = url;
}

async function postAuth(path: string, fields: Record<string, string>): Promise<{ url: string }> {
  const csrf: { csrfToken: string } = await readJson(await fetch('/api/auth/csrf'));
  const body = new URLSearchParams({ ...fields, csrfToken: csrf.csrfToken, json: 'true' });
  return await readJson(await fetch(`/api/auth/${path}`, { method: 'POST', body }));
}

/** A refused sign-in comes as JSON too, with its code in the address. */
async function readJson<T>(response: Response): Promise<T> {
  if (!response.headers.get('content-type')?.includes('json'))
    throw new Error(`The gateway answered with ${response.status}.`);
  return await response.json();
}
