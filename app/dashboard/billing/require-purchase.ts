import { notFound } from 'next/navigation';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/trpc/format-error';
import type { OrderStatus } from '@/server/money/billing/schema';

/** The purchase that a page's address names; a real 404 for one that is not this person's, and signing in comes back to it. */
export async function requirePurchase(path: string, searchParams: QueryParams): Promise<OrderStatus> {
  const orderId = firstValue((await searchParams).order);
  await requireViewer(`${path}?order=${encodeURIComponent(orderId)}`);
  const api = await createCaller();
  return await api.billing.order({ order_id: orderId }).catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'NOT_FOUND' || code === 'INVALID_INPUT') notFound();
    throw error;
  });
}
