import type { Metadata } from 'next';
import { TeamsPanel } from '@/components/teams/teams-panel';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Team' };

export default async function TeamsPage() {
  await requireViewer('/dashboard/team');
  const api = await createCaller();
  const { teams } = await api.teams.list();
  return <TeamsPanel initial={teams} />;
}
