import 'server-only';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { getRuntime } from '../../core/runtime';
import { needsFactor } from '../../identity/sessions/complete-sign-in';
import { sessionCookieName } from '../../identity/sessions/session-token';

/** Whether the sign-in in this browser still needs the second factor. */
export async function isFactorDue(): Promise<boolean> {
  const jar = await cookies();
  const runtime = getRuntime();
  return await needsFactor(runtime, jar.get(sessionCookieName(runtime.settings.baseUrl))?.value);
}

/**
 * Sends a person who has just signed in to the page that asks for the code, which returns to
 * `path`. For pages that visitors see too, and which would take them for one.
 */
export async function redirectIfFactorDue(path: string): Promise<void> {
  if (await isFactorDue()) redirect(`/sign-in/code?callbackUrl=${encodeURIComponent(path)}`);
}
