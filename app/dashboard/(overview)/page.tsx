import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RUNNING_SHOWN } from '@/components/jobs/job-filters';
import { Overview } from '@/components/overview/overview';
import { OVERVIEW_PERIODS, RECENT_CALLS, readPeriod } from '@/components/shared/period';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

export const metadata: Metadata = { title: 'Overview' };

/** Returns null if jobs are disabled on this gateway. */
async function listRunning(api: Awaited<ReturnType<typeof createCaller>>) {
  return await api.jobs.listOwn({ status: 'running', limit: RUNNING_SHOWN }).catch((error: unknown) => {
    if (toGatewayError(error).code === 'JOBS_DISABLED') return null;
    throw error;
  });
}

export default async function OverviewPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const billing = firstValue(params.billing).slice(0, 64) || undefined;
  await requireViewer(billing ? `/dashboard?billing=${encodeURIComponent(billing)}` : '/dashboard');
  const period = readPeriod(OVERVIEW_PERIODS, firstValue(params.period));
  const api = await createCaller();
  const balance = await api.billing.balance();
  if (billing && !balance.accounts.some(({ slug }) => slug === billing)) notFound();
  const [glance, report, errors, limits, attention, calls, preferences, statement, running] =
    await Promise.all([
      api.usage.glance({ billing }),
      api.usage.report({ billing, period }),
      api.usage.errorReport({ billing, period, status: 'error' }),
      api.usage.nearLimits({ billing }),
      api.usage.attention({ billing }),
      api.usage.calls({ billing, period, limit: RECENT_CALLS }),
      api.billing.preferences({ billing }),
      api.billing.statement({ billing, limit: 1 }),
      billing ? null : listRunning(api),
    ]);
  return (
    <Overview
      key={billing}
      {...{ billing, balance, glance, period, report, errors, limits, attention }}
      {...{ calls, preferences, statement, running }}
    />
  );
}
