import { appRouter } from '@/server/api/root';
import type { Credentials, RequestContext } from '@/server/core/trpc/context';
import { t } from '@/server/core/trpc/init';
import { hashSessionToken } from '@/server/identity/sessions/session-token';
import { newId } from '@/server/kit/ids';
import type { Harness } from './harness';

/** The email address used for `OPERATORS`. */
export const OPERATOR = 'boss@example.test';

const createCaller = t.createCallerFactory(appRouter);

/** Creates a session as if the person had signed in with this address. @returns its token */
export async function openSession(
  { runtime }: Harness,
  userId: string,
  verifiedEmail: string | null,
  expires = '1 hour',
): Promise<string> {
  const token = newId('request');
  await runtime.sql`
    insert into sessions (session_token, user_id, expires, verified_email)
    values (${hashSessionToken(token)}, ${userId}, now() + ${expires}::interval, ${verifiedEmail})`;
  return token;
}

/** Creates a person with this email address. */
export async function createPersonWithEmail(harness: Harness, email: string) {
  const person = await harness.person(0n);
  await harness.runtime.sql`update users set email = ${email} where id = ${person.userId}`;
  return person;
}

/** Creates a caller of the procedures with the credentials of a browser. */
export function createBrowserCaller({ runtime }: Harness, credentials: Credentials) {
  const context: RequestContext = {
    runtime,
    requestId: newId('request'),
    clientIp: '',
    credentials,
    providerKeys: new Map(),
    userAgent: null,
    signal: () => new AbortController().signal,
    reply: { headers: {} },
    transport: 'trpc',
  };
  return createCaller(context);
}

/** Lists the names of all operator procedures. */
export function operatorPaths(): string[] {
  return Object.keys(appRouter._def.procedures).filter((path) => path.startsWith('operator.'));
}

/** Calls a procedure by name. */
export async function callProcedure(
  caller: ReturnType<typeof createBrowserCaller>,
  path: string,
  input?: unknown,
): Promise<unknown> {
  // biome-ignore lint/suspicious/noExplicitAny: procedures by name have every shape
  const procedure = path.split('.').reduce((at: any, part) => at[part], caller);
  return await procedure(input);
}
