import type { Metadata } from 'next';
import { KeyDetail } from '@/components/keys/key-detail';
import { toKeyFilter, toRefusalsOfKey } from '@/components/keys/key-filter';
import { KEY_PERIODS, readPeriod } from '@/components/shared/period';
import { CALLS_PAGE } from '@/components/usage/view';
import { readKeyPage } from '@/server/api/pages/read-key-page';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';

export const metadata: Metadata = { title: 'Key' };

interface PageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ period?: string | string[] }>;
}

export default async function KeyPage({ params, searchParams }: PageProps) {
  const { id } = await params;
  await requireViewer(`/dashboard/keys/${id}`);
  const period = readPeriod(KEY_PERIODS, (await searchParams).period);
  const [api, page] = await Promise.all([createCaller(), readKeyPage(id)]);
  const filter = toKeyFilter(page);
  const [report, calls, { keys: blocked }, refusals, balance] = await Promise.all([
    api.usage.report({ ...filter, period }),
    api.usage.calls({ ...filter, period: 'all', limit: CALLS_PAGE }),
    api.usage.blockedKeys({ billing: page.team?.slug }),
    api.usage.refusalReport(toRefusalsOfKey(page)),
    // A frozen account has none.
    api.billing.balance().catch(() => undefined),
  ]);
  const origin = getRuntime().settings.baseUrl;
  return <KeyDetail initial={page} {...{ blocked, refusals, balance, period, report, calls, origin }} />;
}
