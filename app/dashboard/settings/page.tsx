import type { Metadata } from 'next';
import { Settings } from '@/components/account/settings';
import { ContentsCard } from '@/components/contents/contents-card';
import { Connections } from '@/components/oauth/connections';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  const viewer = await requireViewer('/dashboard/settings');
  const api = await createCaller();
  const [{ sessions }, { connections }, factor] = await Promise.all([
    api.auth.sessions(),
    api.oauth.connections(),
    api.security.factor(),
  ]);
  return (
    <Settings
      viewer={viewer}
      sessions={sessions}
      factor={factor}
      connections={
        <>
          <ContentsCard />
          <Connections initial={connections} />
        </>
      }
    />
  );
}
