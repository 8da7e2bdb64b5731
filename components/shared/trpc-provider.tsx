'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ErrorBody } from '@/server/core/errors/schema';
import { createLazyClient } from './lazy-trpc';

/** The API's procedures for the signed-in browser. Call it inside `useQuery` and `useMutation`. */
export const trpc = createLazyClient();

/** The gateway's error; null if it did not respond (offline, restarting). */
export function gatewayError(error: unknown): ErrorBody['error'] | null {
  return isClientError(error) ? (error.data?.gateway ?? null) : null;
}

/** By name, because importing the class would load tRPC's client. */
function isClientError(error: unknown): error is Error & { data?: { gateway?: ErrorBody['error'] } | null } {
  return error instanceof Error && error.name === 'TRPCClientError';
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
