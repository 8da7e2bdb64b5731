import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AccountFrozen } from '@/components/billing/account-frozen';
import type { QueryParams } from '@/components/site/query-params';
import { UsageSkeleton } from '@/components/usage/usage-skeleton';
import { UsageView } from '@/components/usage/usage-view';
import { CALLS_PAGE } from '@/components/usage/view';
import { createCaller } from '@/server/api/trpc/caller';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageFilter } from '@/server/usage/schema';
import { notFoundIfUnknown, readUsagePage } from './read-usage-page';

export const metadata: Metadata = { title: 'Usage' };

export default async function UsagePage({ searchParams }: { searchParams: QueryParams }) {
  const { filter, accounts } = await readUsagePage('/dashboard/usage', searchParams);
  if (!accounts) return <AccountFrozen />;
  // No loading.tsx, so that an unknown account is an HTTP 404 and sign-in returns to the same view.
  return (
    <Suspense fallback={<UsageSkeleton />}>
      <LoadedUsage filter={filter} accounts={accounts} />
    </Suspense>
  );
}

interface LoadedUsageProps {
  filter: UsageFilter;
  accounts: BillingBalance['accounts'];
}

async function LoadedUsage({ filter, accounts }: LoadedUsageProps) {
  const api = await createCaller();
  const [report, calls] = await Promise.all([
    api.usage.report(filter),
    api.usage.calls({ ...filter, limit: CALLS_PAGE }),
  ]).catch(notFoundIfUnknown);
  return <UsageView filter={filter} report={report} calls={calls} accounts={accounts} />;
}
