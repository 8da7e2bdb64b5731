'use client';

import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  OrderStatus,
  PaymentList,
  Preferences,
  PreferencesUpdate,
  Quote,
  Statement,
} from '@/server/money/billing/schema';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { STATEMENT_PAGE, type StatementFilters } from './statement-filters';

/** A card that was removed at the provider shows within this; all else of an account is told by the live channel. */
export const CARD_WATCH_MS = 60_000;

/** The slug of a team; undefined is the person's own account. */
export type Billing = string | undefined;

/** All begin with `billing`, so that one word drops whatever a payment may have changed. */
const billingKey = {
  all: ['billing'],
  quote: (usd: number | null) => ['billing', 'quote', usd],
  order: (id: string) => ['billing', 'order', id],
  preferences: (billing: Billing) => ['billing', 'preferences', billing ?? null],
  standing: (billing: Billing) => ['billing', 'standing', billing ?? null],
  statement: (billing: Billing, filters: StatementFilters) => [
    'billing',
    'statement',
    billing ?? null,
    filters,
  ],
  payments: (billing: Billing) => ['billing', 'payments', billing ?? null],
} as const;

/** Money moved: every figure of it is asked for again. */
export async function refreshMoney(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: billingKey.all }),
    queries.invalidateQueries({ queryKey: queryKey.balance }),
  ]);
}

/** Of one amount; the price of it does not change while a page is open. */
export function quoteOptions(usd: number | null) {
  return {
    queryKey: billingKey.quote(usd),
    queryFn: () => trpc.billing.quote.query({ amount_usd: usd ?? 0 }),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** What some credit costs; null: there is nothing to ask yet. */
export function useQuote(usd: number | null, initial?: Quote) {
  return useQuery({
    ...quoteOptions(usd),
    enabled: usd !== null,
    initialData: initial?.credit_usd === usd ? initial : undefined,
  });
}

const ORDER_SOON_MS = 1_000;
const ORDER_LATER_MS = 5_000;
const ORDER_SELDOM_MS = 30_000;
/** So many looks at the first pace; as many again at the second. */
const ORDER_LOOKS = 30;

/** How long to wait before looking again; false: it will not change any more. */
function orderPace(status: OrderStatus['status'] | undefined, looks: number): number | false {
  if (status === 'paid' || status === 'failed' || status === 'expired') return false;
  if (looks < ORDER_LOOKS && status !== 'processing') return ORDER_SOON_MS;
  return looks < 2 * ORDER_LOOKS ? ORDER_LATER_MS : ORDER_SELDOM_MS;
}

/** A purchase, watched until it is over. */
export function useOrder(initial: OrderStatus) {
  return useQuery({
    queryKey: billingKey.order(initial.order_id),
    queryFn: ({ signal }) => trpc.billing.order.query({ order_id: initial.order_id }, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) =>
      orderPace(state.data?.status, state.dataUpdateCount + state.errorUpdateCount),
  });
}

/** Credit, holds, debt and disputes of an account, from the head of its statement. */
export function useStanding(billing: Billing, initial: Statement) {
  return useQuery({
    queryKey: billingKey.standing(billing),
    queryFn: ({ signal }) => trpc.billing.statement.query({ billing, limit: 1 }, { signal }),
    initialData: initial,
  });
}

export function useStatement(billing: Billing, filters: StatementFilters, initial: Statement | undefined) {
  return useInfiniteQuery({
    queryKey: billingKey.statement(billing, filters),
    queryFn: ({ pageParam, signal }) =>
      trpc.billing.statement.query(
        { billing, ...filters, limit: STATEMENT_PAGE, cursor: pageParam ?? undefined },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: initial && { pages: [initial], pageParams: [null] },
    placeholderData: keepPreviousData,
  });
}

export function usePayments(billing: Billing, initial: PaymentList) {
  return useInfiniteQuery({
    queryKey: billingKey.payments(billing),
    queryFn: ({ pageParam, signal }) =>
      trpc.billing.payments.query({ billing, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
  });
}

export function usePreferences(billing: Billing, initial: Preferences, refetchMs?: number) {
  return useQuery({
    queryKey: billingKey.preferences(billing),
    queryFn: ({ signal }) => trpc.billing.preferences.query({ billing }, { signal }),
    initialData: initial,
    refetchInterval: refetchMs,
  });
}

export function useSavePreferences(billing: Billing) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Omit<PreferencesUpdate, 'billing'>) =>
      trpc.billing.setPreferences.mutate({ ...change, billing }),
    onSuccess: (saved) => queries.setQueryData(billingKey.preferences(billing), saved),
  });
}
