import type { Metadata } from 'next';
import { ReceiptView } from '@/components/billing/receipt-view';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';

export const metadata: Metadata = { title: 'Receipt' };

export default async function ReceiptPage({ params }: { params: Promise<{ paymentId: string }> }) {
  const { paymentId } = await params;
  await requireViewer(`/dashboard/billing/receipts/${paymentId}`);
  const api = await createCaller();
  const receipt = await api.billing.receipt({ payment_id: paymentId });
  const { baseUrl, seller } = getRuntime().settings;
  return <ReceiptView receipt={receipt} host={new URL(baseUrl).host} seller={seller} />;
}
