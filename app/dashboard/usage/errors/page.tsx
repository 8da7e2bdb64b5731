import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AccountFrozen } from '@/components/billing/account-frozen';
import type { QueryParams } from '@/components/site/query-params';
import { ErrorsView } from '@/components/usage/errors-view';
import { UsageSkeleton } from '@/components/usage/usage-skeleton';
import { CALLS_PAGE, toErrorsFilter } from '@/components/usage/view';
import { createCaller } from '@/server/api/trpc/caller';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageFilter } from '@/server/usage/schema';
import { notFoundIfUnknown, readUsagePage } from '../read-usage-page';

export const metadata: Metadata = { title: 'Errors' };

export default async function ErrorsPage({ searchParams }: { searchParams: QueryParams }) {
  const { filter, accounts } = await readUsagePage('/dashboard/usage/errors', searchParams);
  if (!accounts) return <AccountFrozen />;
  return (
    <Suspense fallback={<UsageSkeleton />}>
      <LoadedErrors filter={toErrorsFilter(filter)} accounts={accounts} />
    </Suspense>
  );
}

interface LoadedErrorsProps {
  filter: UsageFilter;
  accounts: BillingBalance['accounts'];
}

async function LoadedErrors({ filter, accounts }: LoadedErrorsProps) {
  const api = await createCaller();
  const [errors, calls, choices] = await Promise.all([
    api.usage.errorReport(filter),
    api.usage.calls({ ...filter, limit: CALLS_PAGE }),
    api.usage.choices({ billing: filter.billing }),
  ]).catch(notFoundIfUnknown);
  return <ErrorsView {...{ filter, errors, calls, choices, accounts }} />;
}
