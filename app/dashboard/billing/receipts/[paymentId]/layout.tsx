import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

interface LayoutProps {
  params: Promise<{ paymentId: string }>;
  children: ReactNode;
}

/**
 * Outside the loading boundary, so that an unknown id is a 404 and a signed-out visitor is
 * redirected.
 */
export default async function Layout({ params, children }: LayoutProps) {
  const { paymentId } = await params;
  await requireViewer(`/dashboard/billing/receipts/${paymentId}`);
  const api = await createCaller();
  await api.billing.receipt({ payment_id: paymentId }).catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'NOT_FOUND' || code === 'INVALID_INPUT') notFound();
    throw error;
  });
  return children;
}
