import type { Metadata } from 'next';
import { Suspense } from 'react';
import { buildProviderFacts, formatByokShare } from '@/components/credentials/provider-facts';
import { ProviderKeysPanel } from '@/components/credentials/provider-keys-panel';
import { ProviderKeysSkeleton } from '@/components/credentials/provider-keys-skeleton';
import type { QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { buildPath } from '../build-path';

export const metadata: Metadata = { title: 'Provider keys' };

const ALL_TOOLS = '500';

/** The loading boundary is inside the page, so that sign-in redirects back to the same view. */
export default async function ProviderKeysPage({ searchParams }: { searchParams: QueryParams }) {
  await requireViewer(buildPath('/dashboard/provider-keys', await searchParams));
  return (
    <Suspense fallback={<ProviderKeysSkeleton />}>
      <ProviderKeys />
    </Suspense>
  );
}

async function ProviderKeys() {
  const api = await createCaller();
  const [{ requirements }, { tools }] = await Promise.all([
    api.requirements.listOwn(),
    api.tools.list({ limit: ALL_TOOLS }),
  ]);
  return (
    <ProviderKeysPanel
      initial={requirements}
      facts={buildProviderFacts(tools)}
      share={formatByokShare(tools)}
    />
  );
}
