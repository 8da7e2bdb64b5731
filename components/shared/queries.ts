'use client';

import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { TeamDetail, TeamSummary } from '@/server/identity/teams/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import { trpc } from './trpc-provider';

/**
 * Query keys; `['keys']` also covers single keys, `['teams']` single teams. Usage has its own in
 * usage/queries.
 */
export const queryKey = {
  balance: ['balance'],
  keys: ['keys'],
  key: (id: string) => ['keys', id],
  sessions: ['sessions'],
  teams: ['teams'],
  team: (slug: string) => ['teams', slug],
} as const;

export function useBalance(initialData: BillingBalance | undefined) {
  return useQuery({
    queryKey: queryKey.balance,
    queryFn: ({ signal }) => trpc.billing.balance.query(undefined, { signal }),
    initialData,
    // The initial balance comes with the page's frame, which may have been fetched long before.
    refetchOnMount: 'always',
  });
}

export function useKeys(initialData: ApiKey[]) {
  return useQuery({
    queryKey: queryKey.keys,
    queryFn: async ({ signal }) => (await trpc.keys.list.query(undefined, { signal })).keys,
    initialData,
  });
}

export function useKey(initialData: ApiKey) {
  return useQuery({
    queryKey: queryKey.key(initialData.id),
    queryFn: ({ signal }) => trpc.keys.get.query({ id: initialData.id }, { signal }),
    initialData,
  });
}

export function useTeams(initialData: TeamSummary[]) {
  return useQuery({
    queryKey: queryKey.teams,
    queryFn: async ({ signal }) => (await trpc.teams.list.query(undefined, { signal })).teams,
    initialData,
  });
}

export function useTeam(initialData: TeamDetail) {
  const { slug } = initialData;
  return useQuery({
    queryKey: queryKey.team(slug),
    queryFn: ({ signal }) => trpc.teams.get.query({ slug }, { signal }),
    initialData,
  });
}
