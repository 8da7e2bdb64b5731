import { createTRPCUntypedClient, httpLink } from '@trpc/client';
import type { AppRouter } from '@/server/api/root';

/**
 * Loaded with the first request of a page: what a page shows first comes from the server. Batches
 * would need a fifth more code, for pages that send few requests.
 */
export const client = createTRPCUntypedClient<AppRouter>({
  links: [httpLink({ url: '/api/trpc' })],
});
