import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AccountFrozen } from '@/components/billing/account-frozen';
import type { QueryParams } from '@/components/site/query-params';
import { RefusalsView } from '@/components/usage/refusals-view';
import { UsageSkeleton } from '@/components/usage/usage-skeleton';
import { toRefusalsFilter } from '@/components/usage/view';
import { createCaller } from '@/server/api/trpc/caller';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageFilter } from '@/server/usage/schema';
import { notFoundIfUnknown, readUsagePage } from '../read-usage-page';

export const metadata: Metadata = { title: 'Refused calls' };

export default async function RefusedPage({ searchParams }: { searchParams: QueryParams }) {
  const { filter, accounts } = await readUsagePage('/dashboard/usage/refused', searchParams);
  if (!accounts) return <AccountFrozen />;
  return (
    <Suspense fallback={<UsageSkeleton />}>
      <LoadedRefusals filter={toRefusalsFilter(filter)} accounts={accounts} />
    </Suspense>
  );
}

interface LoadedRefusalsProps {
  filter: UsageFilter;
  accounts: BillingBalance['accounts'];
}

async function LoadedRefusals({ filter, accounts }: LoadedRefusalsProps) {
  const api = await createCaller();
  const report = await api.usage.refusalReport(filter).catch(notFoundIfUnknown);
  return <RefusalsView filter={filter} report={report} accounts={accounts} />;
}
