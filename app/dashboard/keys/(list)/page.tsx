import type { Metadata } from 'next';
import { KeysPanel } from '@/components/keys/keys-panel';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Keys' };

export default async function KeysPage() {
  await requireViewer('/dashboard/keys');
  const api = await createCaller();
  const { keys } = await api.keys.list();
  return <KeysPanel initial={keys} />;
}
