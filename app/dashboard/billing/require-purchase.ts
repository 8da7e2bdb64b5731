import { notFound } from 'next/navigation';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';
import type { OrderStatus } from '@/server/money/billing/schema';

/**
 * Returns the purchase named in the URL. Another person's purchase is a 404, and signing in
 * redirects back here.
 */
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
