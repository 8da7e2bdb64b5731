import 'server-only';
import { cookies, headers } from 'next/headers';
import { getRuntime } from '../../core/runtime';
import type { Credentials, RequestContext } from '../../core/trpc/context';
import { t } from '../../core/trpc/init';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { newId } from '../../kit/ids';
import { clientIp } from '../http/request-context';
import { appRouter } from '../root';

const callerFactory = t.createCallerFactory(appRouter);

/** The procedures for server components, called as the user signed in to this browser. */
export async function createCaller() {
  // Must come first: during a build it marks the page as dynamic before the missing runtime throws.
  const jar = await cookies();
  const runtime = getRuntime();
  const sent = await headers();
  const header = (name: string) => sent.get(name) ?? undefined;
  const source = { header, remoteAddress: header('x-gateway-peer') ?? '' };
  const token = jar.get(sessionCookieName(runtime.settings.baseUrl))?.value;
  const credentials: Credentials = token ? { kind: 'session', token } : { kind: 'none' };
  const context: RequestContext = {
    runtime,
    requestId: newId('request'),
    clientIp: clientIp(source, runtime.settings.trustedProxyHops),
    credentials,
    providerKeys: new Map(),
    userAgent: sent.get('user-agent'),
    signal: () => new AbortController().signal,
    reply: { headers: {} },
    transport: 'internal',
  };
  return callerFactory(context);
}
