import type { Metadata } from 'next';
import { Settings } from '@/components/account/settings';
import { Connections } from '@/components/oauth/connections';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  const viewer = await requireViewer('/dashboard/settings');
  const api = await createCaller();
  const [{ sessions }, { connections }] = await Promise.all([api.auth.sessions(), api.oauth.connections()]);
  return <Settings viewer={viewer} sessions={sessions} connections={<Connections initial={connections} />} />;
}
