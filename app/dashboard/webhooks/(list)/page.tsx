import type { Metadata } from 'next';
import { WebhooksPanel } from '@/components/webhooks/webhooks-panel';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage() {
  await requireViewer('/dashboard/webhooks');
  const api = await createCaller();
  const { webhooks } = await api.webhooks.list();
  return <WebhooksPanel initial={webhooks} />;
}
