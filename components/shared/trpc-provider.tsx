'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '@/server/api/root';
import type { ErrorBody } from '@/server/core/errors/schema';

/** The same procedures as the API, for the signed-in browser. Call it inside `useQuery` and `useMutation`. */
export const trpc = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: '/api/trpc', maxURLLength: 2_000, maxItems: 10 })],
});

/** What the gateway said went wrong; null where it never answered (offline, restarting). */
export function gatewayError(error: unknown): ErrorBody['error'] | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: { gateway?: ErrorBody['error'] } | null | undefined = error.data;
  return data?.gateway ?? null;
}

/** One plain sentence or two for any error, with what to do next. */
export function errorText(error: unknown): string {
  const known = gatewayError(error);
  if (!known) return 'The gateway did not answer. Check your connection and try again.';
  return `${known.message} ${known.resolution_hint}`;
}

/** Only failures that another try can mend are tried again, and twice at most. */
function shouldRetry(failures: number, error: unknown): boolean {
  const type = gatewayError(error)?.type;
  return failures < 2 && (type === undefined || type === 'server');
}

export function TrpcProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: 10_000, retry: shouldRetry }, mutations: { retry: false } },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
