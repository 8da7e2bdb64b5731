import { appRouter } from '../api/root';
import type { Credentials, RequestContext } from '../core/trpc/context';
import { t } from '../core/trpc/init';
import { hashSessionToken } from '../identity/sessions/session-token';
import { newId } from '../kit/ids';
import type { Harness } from './harness';

/** The address that harnesses with `OPERATORS` name. */
export const OPERATOR = 'boss@example.test';

const createCaller = t.createCallerFactory(appRouter);

/** Opens a session of a person, as a sign-in that proved this address does. @returns its token */
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

/** A person with this address. */
export async function personCalled(harness: Harness, email: string) {
  const person = await harness.person(0n);
  await harness.runtime.sql`update users set email = ${email} where id = ${person.userId}`;
  return person;
}

/** The procedures as a browser with these credentials asks them. */
export function callerOf({ runtime }: Harness, credentials: Credentials) {
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

/** The names of all procedures of the operator's router. */
export function operatorPaths(): string[] {
  return Object.keys(appRouter._def.procedures).filter((path) => path.startsWith('operator.'));
}

/** Asks a procedure by its name. */
export async function askPath(
  caller: ReturnType<typeof callerOf>,
  path: string,
  input?: unknown,
): Promise<unknown> {
  // biome-ignore lint/suspicious/noExplicitAny: procedures by name have every shape
  const procedure = path.split('.').reduce((at: any, part) => at[part], caller);
  return await procedure(input);
}
