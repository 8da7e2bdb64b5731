import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { KeysPanel } from '@/components/keys/keys-panel';
import { withBilling } from '@/components/shared/account-path';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';

export const metadata: Metadata = { title: 'Keys' };

export default async function KeysPage({ searchParams }: { searchParams: QueryParams }) {
  const slug = firstValue((await searchParams).billing).slice(0, 64) || undefined;
  await requireViewer(withBilling('/dashboard/keys', slug ?? null));
  const api = await createCaller();
  const teams = slug === undefined ? [] : (await api.teams.list()).teams;
  const team = teams.find((each) => each.slug === slug) ?? null;
  if (slug !== undefined && !team) notFound();
  const [{ keys }, limits, blocked] = await Promise.all([
    api.keys.list({ billing: slug }),
    api.keys.limits({ billing: slug }),
    api.usage.blockedKeys({ billing: slug }),
  ]);
  const { provisioning } = getRuntime().settings.access;
  // The key resets the form and the rows, so that those of one account are not shown for another.
  return (
    <KeysPanel
      key={slug ?? 'personal'}
      initial={keys}
      blocked={blocked.keys}
      team={team}
      limits={limits}
      provisioning={provisioning}
    />
  );
}
