import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { AccountFrozen } from '@/components/billing/account-frozen';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { UsageSkeleton } from '@/components/usage/usage-skeleton';
import { UsageView } from '@/components/usage/usage-view';
import { CALLS_PAGE, readView, writeView } from '@/components/usage/view';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/trpc/format-error';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { UsageFilter } from '@/server/usage/schema';

export const metadata: Metadata = { title: 'Usage' };

export default async function UsagePage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const filter = readView((name) => firstValue(params[name]) || null);
  await requireViewer(`/dashboard/usage${writeView(filter)}`);
  const api = await createCaller();
  const balance = await api.billing.balance().catch(nullIfFrozen);
  if (!balance) return <AccountFrozen />;
  const { accounts } = balance;
  if (filter.billing !== undefined && !accounts.some(({ slug }) => slug === filter.billing)) notFound();
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
  ]).catch((error: unknown) => {
    if (toGatewayError(error).code === 'NOT_FOUND') notFound();
    throw error;
  });
  return <UsageView filter={filter} report={report} calls={calls} accounts={accounts} />;
}

/** Returns null if an operator has frozen the account. */
function nullIfFrozen(error: unknown): null {
  if (toGatewayError(error).code === 'FORBIDDEN') return null;
  throw error;
}
