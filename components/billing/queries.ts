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
  CallsRow,
  DayStatement,
  OrderStatus,
  Preferences,
  PreferencesUpdate,
  Quote,
  Statement,
} from '@/server/money/billing/schema';
import type { BillingDetails, DetailsUpdate, InvoicedPaymentList } from '@/server/money/invoices/schema';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { STATEMENT_PAGE, type StatementFilters } from './statement-filters';

/** How often the saved card is refetched: removing it at the provider causes no live event. */
export const CARD_REFETCH_MS = 60_000;

/** The slug of a team; undefined is the personal account. */
export type Billing = string | undefined;

/** All keys begin with `billing`, so that one prefix invalidates whatever a payment may change. */
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
  dayCalls: (billing: Billing, day: string, cursor: string) => [
    'billing',
    'dayCalls',
    billing ?? null,
    day,
    cursor,
  ],
  details: (billing: Billing) => ['billing', 'details', billing ?? null],
  payments: (billing: Billing) => ['billing', 'payments', billing ?? null],
  receipt: (paymentId: string) => ['billing', 'receipt', paymentId],
} as const;

/** Refetches all balances, statements and payments. */
export async function refreshMoney(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: billingKey.all }),
    queries.invalidateQueries({ queryKey: queryKey.balance }),
  ]);
}

/** Query options for the quote of an amount. Prices do not change while a page is open. */
export function quoteOptions(usd: number | null) {
  return {
    queryKey: billingKey.quote(usd),
    queryFn: () => trpc.billing.quote.query({ amount_usd: usd ?? 0 }),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The price of an amount of credit. Null disables the query. */
export function useQuote(usd: number | null, initial?: Quote) {
  return useQuery({
    ...quoteOptions(usd),
    enabled: usd !== null,
    initialData: initial?.credit_usd === usd ? initial : undefined,
  });
}

const ORDER_FAST_POLL_MS = 1_000;
const ORDER_POLL_MS = 5_000;
const ORDER_SLOW_POLL_MS = 30_000;
/** Number of polls at the first interval, then the same number at the second. */
const POLLS_PER_INTERVAL = 30;

/** The interval until the next poll; false once the order's status is final. */
function getOrderPollInterval(status: OrderStatus['status'] | undefined, polls: number): number | false {
  if (status === 'paid' || status === 'failed' || status === 'expired') return false;
  if (polls < POLLS_PER_INTERVAL && status !== 'processing') return ORDER_FAST_POLL_MS;
  return polls < 2 * POLLS_PER_INTERVAL ? ORDER_POLL_MS : ORDER_SLOW_POLL_MS;
}

/** A purchase, polled until it is final. */
export function useOrder(initial: OrderStatus) {
  return useQuery({
    queryKey: billingKey.order(initial.order_id),
    queryFn: ({ signal }) => trpc.billing.order.query({ order_id: initial.order_id }, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) =>
      getOrderPollInterval(state.data?.status, state.dataUpdateCount + state.errorUpdateCount),
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

export function useStatement(billing: Billing, filters: StatementFilters, initial: DayStatement | undefined) {
  return useInfiniteQuery({
    queryKey: billingKey.statement(billing, filters),
    queryFn: ({ pageParam, signal }) =>
      trpc.billing.dayStatement.query(
        { billing, ...filters, limit: STATEMENT_PAGE, cursor: pageParam ?? undefined },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    ...(initial && { initialData: { pages: [initial], pageParams: [null] } }),
  });
}

/** The single calls of a day. Its cursor changes with its sum, which refetches them. */
export function useDayCalls(billing: Billing, { day, calls_cursor }: CallsRow) {
  return useInfiniteQuery({
    queryKey: billingKey.dayCalls(billing, day, calls_cursor),
    queryFn: ({ pageParam, signal }) =>
      trpc.billing.dayCalls.query({ billing, cursor: pageParam }, { signal }),
    initialPageParam: calls_cursor,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** Query options for the billing details of an account. */
export function detailsOptions(billing: Billing) {
  return {
    queryKey: billingKey.details(billing),
    queryFn: ({ signal }: { signal: AbortSignal }) => trpc.billing.details.query({ billing }, { signal }),
  };
}

export function useDetails(billing: Billing, initial: BillingDetails) {
  return useQuery({ ...detailsOptions(billing), initialData: initial });
}

export function useSaveDetails(billing: Billing) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (details: Omit<DetailsUpdate, 'billing'>) =>
      trpc.billing.setDetails.mutate({ ...details, billing }),
    onSuccess: (saved) => queries.setQueryData(billingKey.details(billing), saved),
  });
}

/** Query options for the receipt of a payment. */
export function receiptOptions(paymentId: string) {
  return {
    queryKey: billingKey.receipt(paymentId),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      trpc.billing.receipt.query({ payment_id: paymentId }, { signal }),
  };
}

/** Adds the saved billing details to a receipt that was made without any. */
export function useCompleteReceipt() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (paymentId: string) => trpc.billing.completeReceipt.mutate({ payment_id: paymentId }),
    onSuccess: (receipt) => queries.setQueryData(billingKey.receipt(receipt.payment_id), receipt),
  });
}

/** Issues the invoice of a payment, or its credit note. */
export function useIssueInvoice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (paymentId: string) => trpc.billing.issueInvoice.mutate({ payment_id: paymentId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: billingKey.all }),
  });
}

export function usePayments(billing: Billing, initial: InvoicedPaymentList) {
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
    refetchInterval: refetchMs ?? false,
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
