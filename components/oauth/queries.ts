'use client';

import { useQuery } from '@tanstack/react-query';
import type { Connection } from '@/server/identity/oauth/schema';
import { trpc } from '../shared/trpc-provider';

/**
 * Under `keys`, because a call by an application changes its connection as a call changes a key.
 */
export const connectionsKey = ['keys', 'connections'] as const;

export function useConnections(initialData: Connection[]) {
  return useQuery({
    queryKey: connectionsKey,
    queryFn: async ({ signal }) => (await trpc.oauth.connections.query(undefined, { signal })).connections,
    initialData,
  });
}
