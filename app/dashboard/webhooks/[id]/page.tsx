import type { Metadata } from 'next';
import { EndpointDetail } from '@/components/webhooks/endpoint-detail';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Webhook endpoint' };

export default async function WebhookPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireViewer(`/dashboard/webhooks/${id}`);
  const api = await createCaller();
  return <EndpointDetail initial={await api.webhooks.get({ id })} />;
}
