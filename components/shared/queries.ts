'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ApiKey, KeyPage } from '@/server/identity/keys/schema';
import type { TeamDetail, TeamSummary } from '@/server/identity/teams/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';
import type { KeySpend } from '@/server/usage/schema';
import type { KeySpendPeriod } from './period';
import { trpc } from './trpc-provider';

/**
 * Query keys; `['keys']` also covers single keys, `['teams']` single teams. Usage has its own in
 * usage/queries.
 */
export const queryKey = {
  balance: ['balance'],
  keys: ['keys'],
  key: (id: string) => ['keys', id],
  blockedKeys: (billing: string | undefined) => ['keys', 'blocked', billing ?? null],
  keySpend: (billing: string | undefined, period: string) => ['keys', 'spend', billing ?? null, period],
  teamKeys: (slug: string) => ['keys', 'team', slug],
  sessions: ['sessions'],
  factor: ['factor'],
  teams: ['teams'],
  team: (slug: string) => ['teams', slug],
} as const;

export function useBalance(initialData: BillingBalance | undefined) {
  return useQuery({
    queryKey: queryKey.balance,
    queryFn: ({ signal }) => trpc.billing.balance.query(undefined, { signal }),
    initialData,
    // Fresh on a page load, which then needs no request; a page opened later reads it again.
    staleTime: 1_000,
  });
}

/** @param billing the slug of a team; undefined: the person's own keys */
export function useKeys(initialData: ApiKey[], billing: string | undefined) {
  return useQuery({
    queryKey: billing === undefined ? queryKey.keys : queryKey.teamKeys(billing),
    queryFn: async ({ signal }) => (await trpc.keys.list.query({ billing }, { signal })).keys,
    initialData,
  });
}

/** The keys of an account whose calls a limit refuses now. */
export function useBlockedKeys(initialData: BlockedKey[], billing: string | undefined) {
  return useQuery({
    queryKey: queryKey.blockedKeys(billing),
    queryFn: async ({ signal }) => (await trpc.usage.blockedKeys.query({ billing }, { signal })).keys,
    initialData,
  }).data;
}

/** What the keys of an account spent in a period. */
export function useKeySpend(
  initialData: KeySpend | undefined,
  { billing, period }: { billing: string | undefined; period: KeySpendPeriod },
) {
  return useQuery({
    queryKey: queryKey.keySpend(billing, period),
    queryFn: ({ signal }) => trpc.usage.keySpend.query({ billing, period }, { signal }),
    initialData,
    placeholderData: keepPreviousData,
  });
}

/** Whether the account of keys has no credit that a call could hold. */
export function useIsBroke(initialData: BillingBalance | undefined, billing: string | undefined): boolean {
  const account = useBalance(initialData).data?.accounts.find(({ slug }) => (slug ?? undefined) === billing);
  return account !== undefined && account.available_usd <= 0;
}

export function useKey(initialData: KeyPage) {
  const { id } = initialData.key;
  return useQuery({
    queryKey: queryKey.key(id),
    queryFn: ({ signal }) => trpc.keys.page.query({ id }, { signal }),
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
