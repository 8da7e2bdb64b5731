import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '@/server/api/root';
import { handleTrpc } from '@/server/api/trpc/handler';
import { hashSessionToken } from '@/server/identity/sessions/session-token';
import { type OpenChannel, toOutcome } from './channel';

/** The dashboard's `playground.run`, by session, through tRPC's client and handler. */
export const trpc: OpenChannel = async ({ runtime, baseUrl }, { userId }) => {
  const token = `session-${userId}`;
  await runtime.sql`
    insert into sessions values (${hashSessionToken(token)}, ${userId}, now() + interval '1 hour')`;
  const headers = { origin: baseUrl, cookie: `next-auth.session-token=${token}` };
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${baseUrl}/api/trpc`,
        fetch: (url, init) => {
          const request = new Request(url.toString(), init as RequestInit);
          for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
          return handleTrpc(request, runtime);
        },
      }),
    ],
  });
  return {
    async call(call) {
      try {
        return toOutcome(await client.playground.run.mutate(call));
      } catch (error) {
        if (!(error instanceof TRPCClientError)) throw error;
        return toOutcome({ status: 'error', error: error.data?.gateway });
      }
    },
  };
};
