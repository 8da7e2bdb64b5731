import type { Metadata } from 'next';
import { ProviderKeysPanel } from '@/components/credentials/provider-keys-panel';
import { ownKeyShare, slotFacts } from '@/components/credentials/slot-facts';
import { requireViewer } from '@/server/auth/require-viewer';
import { createCaller } from '@/server/trpc/caller';

export const metadata: Metadata = { title: 'Provider keys' };

const ALL_TOOLS = '500';

export default async function ProviderKeysPage() {
  await requireViewer('/dashboard/provider-keys');
  const api = await createCaller();
  const [{ requirements }, { tools }] = await Promise.all([
    api.requirements.listOwn(),
    api.tools.list({ limit: ALL_TOOLS }),
  ]);
  return <ProviderKeysPanel initial={requirements} facts={slotFacts(tools)} share={ownKeyShare(tools)} />;
}
