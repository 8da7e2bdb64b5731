'use client';

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery, WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { trpc } from '../shared/trpc-provider';

export type DeliveryState = WebhookDelivery['state'];

/** `['webhooks']` covers all of them. */
const webhookKey = {
  all: ['webhooks'],
  list: ['webhooks', 'list'],
  one: (id: string) => ['webhooks', 'one', id],
  allDeliveries: (id: string) => ['webhooks', 'deliveries', id],
  deliveries: (id: string, state: DeliveryState | null) => ['webhooks', 'deliveries', id, state],
  delivery: (id: string, deliveryId: string) => ['webhooks', 'delivery', id, deliveryId],
} as const;

/** How often a delivery is fetched that is about to be sent, and how soon that must be. */
const FOLLOW_MS = 1_500;
const SOON_MS = 60_000;
/** A person waits for the outcome of a test. */
const FIRST_ATTEMPT_MS = 500;

/** Whether a delivery is being sent now, or within a minute. */
function isUnderWay(delivery: WebhookDelivery | undefined): boolean {
  if (delivery?.state !== 'pending' || delivery.next_attempt_at === null) return false;
  return Date.parse(delivery.next_attempt_at) < Date.now() + SOON_MS;
}

export function useWebhooks(initialData: WebhookEndpoint[]) {
  return useQuery({
    queryKey: webhookKey.list,
    queryFn: async ({ signal }) => (await trpc.webhooks.list.query(undefined, { signal })).webhooks,
    initialData,
  });
}

export function useWebhook(initialData: WebhookEndpoint) {
  const { id } = initialData;
  return useQuery({
    queryKey: webhookKey.one(id),
    queryFn: ({ signal }) => trpc.webhooks.get.query({ id }, { signal }),
    initialData,
  });
}

export function useDeliveries(id: string, state: DeliveryState | null) {
  return useInfiniteQuery({
    queryKey: webhookKey.deliveries(id, state),
    queryFn: ({ pageParam, signal }) =>
      trpc.webhooks.deliveries.query(
        { id, ...(state && { state }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.deliveries.some(isUnderWay) ? FOLLOW_MS : false,
  });
}

export function useDelivery(id: string, deliveryId: string) {
  return useQuery({
    queryKey: webhookKey.delivery(id, deliveryId),
    queryFn: ({ signal }) => trpc.webhooks.delivery.query({ id, delivery_id: deliveryId }, { signal }),
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? FOLLOW_MS : false),
  });
}

/**
 * A delivery until its first attempt has ended.
 * @param id null: none
 */
export function useFirstAttempt(endpointId: string, id: string | null) {
  return useQuery({
    queryKey: webhookKey.delivery(endpointId, id ?? ''),
    queryFn: ({ signal }) =>
      trpc.webhooks.delivery.query({ id: endpointId, delivery_id: id ?? '' }, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) =>
      data && (data.log.length > 0 || data.state !== 'pending') ? false : FIRST_ATTEMPT_MS,
  });
}

/** Fetches everything about webhooks again after a change. */
export function useRefreshWebhooks(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: webhookKey.all });
}

/**
 * Forgets the deliveries of a deleted endpoint, so that its page does not fetch them while the next
 * page loads.
 */
export function useForgetEndpoint(): (id: string) => Promise<void> {
  const queries = useQueryClient();
  return async (id) => {
    queries.setQueriesData(
      { queryKey: webhookKey.allDeliveries(id) },
      { pages: [{ deliveries: [], next_cursor: null }], pageParams: [null] },
    );
    await queries.invalidateQueries({ queryKey: webhookKey.list });
  };
}
