import type { Metadata } from 'next';
import { TeamDetail } from '@/components/teams/team-detail';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Team' };

export default async function TeamPage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params;
  await requireViewer(`/dashboard/team/${slug}`);
  const api = await createCaller();
  return <TeamDetail initial={await api.teams.get({ slug })} />;
}
