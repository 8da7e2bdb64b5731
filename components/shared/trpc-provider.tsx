'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import type { AppRouter } from '@/server/api/root';
import type { ErrorBody } from '@/server/core/errors/schema';

/** The API's procedures for the signed-in browser. Call it inside `useQuery` and `useMutation`. */
export const trpc = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: '/api/trpc', maxURLLength: 2_000, maxItems: 10 })],
});

/** The gateway's error; null if it did not respond (offline, restarting). */
export function gatewayError(error: unknown): ErrorBody['error'] | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: { gateway?: ErrorBody['error'] } | null | undefined = error.data;
  return data?.gateway ?? null;
}

/** A message for any error: what happened, then what to do. */
export function errorText(error: unknown): string {
  const known = gatewayError(error);
  if (!known) return 'The gateway did not respond. Check your connection and try again.';
  return `${known.message} ${known.resolution_hint}`;
}

/** Retry only errors that a retry may resolve, at most twice. */
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
