import type { Metadata } from 'next';
import { KeyDetail } from '@/components/dashboard/key-detail';
import { HISTORY_PAGE, readPeriod } from '@/components/dashboard/period';
import { requireViewer } from '@/server/auth/require-viewer';
import { createCaller } from '@/server/trpc/caller';

export const metadata: Metadata = { title: 'Key' };

interface PageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ period?: string | string[] }>;
}

export default async function KeyPage({ params, searchParams }: PageProps) {
  const { id } = await params;
  await requireViewer(`/dashboard/keys/${id}`);
  const period = readPeriod((await searchParams).period);
  const api = await createCaller();
  const [key, usage, history] = await Promise.all([
    api.keys.get({ id }),
    api.usage.summary({ period, key_id: id }),
    api.usage.history({ key_id: id, limit: HISTORY_PAGE }),
  ]);
  return <KeyDetail initial={key} usage={usage} history={history} />;
}
