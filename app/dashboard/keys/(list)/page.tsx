import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { KeysPanel } from '@/components/keys/keys-panel';
import { withBilling } from '@/components/shared/account-path';
import { KEY_SPEND_PERIODS, readPeriod } from '@/components/shared/period';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';

export const metadata: Metadata = { title: 'Keys' };

export default async function KeysPage({ searchParams }: { searchParams: QueryParams }) {
  const params = await searchParams;
  const slug = firstValue(params.billing).slice(0, 64) || undefined;
  const period = readPeriod(KEY_SPEND_PERIODS, params.period);
  await requireViewer(withBilling('/dashboard/keys', slug ?? null));
  const api = await createCaller();
  const teams = slug === undefined ? [] : (await api.teams.list()).teams;
  const team = teams.find((each) => each.slug === slug) ?? null;
  if (slug !== undefined && !team) notFound();
  const [{ keys }, limits, blocked, spend, balance] = await Promise.all([
    api.keys.list({ billing: slug }),
    api.keys.limits({ billing: slug }),
    api.usage.blockedKeys({ billing: slug }),
    api.usage.keySpend({ billing: slug, period }),
    // A frozen account has none.
    api.billing.balance().catch(() => undefined),
  ]);
  const { provisioning } = getRuntime().settings.access;
  // The key resets the form and the rows, so that those of one account are not shown for another.
  return (
    <KeysPanel
      key={slug ?? 'personal'}
      initial={keys}
      blocked={blocked.keys}
      spend={{ period, data: spend }}
      balance={balance}
      team={team}
      limits={limits}
      provisioning={provisioning}
    />
  );
}
