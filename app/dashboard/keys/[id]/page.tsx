import type { Metadata } from 'next';
import { KeyDetail } from '@/components/keys/key-detail';
import { KEY_PERIODS, readPeriod } from '@/components/shared/period';
import { CALLS_PAGE } from '@/components/usage/view';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Key' };

interface PageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ period?: string | string[] }>;
}

export default async function KeyPage({ params, searchParams }: PageProps) {
  const { id } = await params;
  await requireViewer(`/dashboard/keys/${id}`);
  const period = readPeriod(KEY_PERIODS, (await searchParams).period);
  const api = await createCaller();
  const filter = { every_account: true, key_id: id };
  const [key, report, calls] = await Promise.all([
    api.keys.get({ id }),
    api.usage.report({ ...filter, period }),
    api.usage.calls({ ...filter, period: 'all', limit: CALLS_PAGE }),
  ]);
  return <KeyDetail initial={key} period={period} report={report} calls={calls} />;
}
