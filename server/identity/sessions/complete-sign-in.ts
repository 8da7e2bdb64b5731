import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { RequestContext } from '../../core/trpc/context';
import { checkCode } from '../factor/check-code';
import { SESSION_LIFETIME_SECONDS } from './options';
import { hashSessionToken } from './session-token';
import { completeHalfSession, findHalfSession } from './store';

/** Whether the browser has a session that still needs the second factor. */
export async function needsFactor(
  runtime: Pick<Runtime, 'db'>,
  sessionToken: string | undefined,
): Promise<boolean> {
  return (
    sessionToken !== undefined && (await findHalfSession(runtime.db, hashSessionToken(sessionToken))) !== null
  );
}

/**
 * Completes a sign-in with the code of the second factor.
 * @throws GatewayError AUTH_REQUIRED without such a sign-in; INVALID_INPUT, RATE_LIMIT_EXCEEDED
 */
export async function completeSignIn(
  { runtime, credentials }: Pick<RequestContext, 'credentials' | 'runtime'>,
  code: string,
): Promise<{ success: true }> {
  if (credentials.kind !== 'session') throw signInExpired();
  const sessionId = hashSessionToken(credentials.token);
  const person = await findHalfSession(runtime.db, sessionId);
  if (!person) throw signInExpired();
  await checkCode(runtime, person, code);
  if (!(await completeHalfSession(runtime.db, sessionId, SESSION_LIFETIME_SECONDS))) throw signInExpired();
  return { success: true };
}

function signInExpired(): GatewayError {
  return new GatewayError('AUTH_REQUIRED', {
    message: 'This sign-in has expired.',
    hint: 'Sign in again, and enter the code within 15 minutes.',
  });
}
