import type { Metadata } from 'next';
import { Overview } from '@/components/dashboard/overview';
import { HISTORY_PAGE, readPeriod } from '@/components/dashboard/period';
import { requireViewer } from '@/server/auth/require-viewer';
import { createCaller } from '@/server/trpc/caller';

export const metadata: Metadata = { title: 'Overview' };

interface PageProps {
  searchParams: Promise<{ period?: string | string[] }>;
}

export default async function OverviewPage({ searchParams }: PageProps) {
  await requireViewer('/dashboard');
  const period = readPeriod((await searchParams).period);
  const api = await createCaller();
  const [balance, day, week, month, all, history, { keys }, preferences, statement] = await Promise.all([
    api.billing.balance(),
    api.usage.summary({ period: 'day' }),
    api.usage.summary({ period: 'week' }),
    api.usage.summary({ period: 'month' }),
    api.usage.summary({ period: 'all' }),
    api.usage.history({ limit: HISTORY_PAGE }),
    api.keys.list(),
    api.billing.preferences({}),
    api.billing.statement({ limit: 1 }),
  ]);
  const usage = { day, week, month, all };
  return (
    <Overview
      balance={balance}
      usage={usage}
      shown={usage[period]}
      history={history}
      keys={keys}
      preferences={preferences}
      statement={statement}
    />
  );
}
