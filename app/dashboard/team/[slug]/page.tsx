import type { Metadata } from 'next';
import { ContentsCard } from '@/components/contents/contents-card';
import { TeamKeys } from '@/components/keys/team-keys';
import { TeamDetail } from '@/components/teams/team-detail';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { title: 'Team' };

export default async function TeamPage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params;
  await requireViewer(`/dashboard/team/${slug}`);
  const api = await createCaller();
  const [team, { keys }, blocked] = await Promise.all([
    api.teams.get({ slug }),
    api.keys.list({ billing: slug }),
    api.usage.blockedKeys({ billing: slug }),
  ]);
  return (
    <TeamDetail
      initial={team}
      keys={<TeamKeys initial={keys} blocked={blocked.keys} team={team} />}
      settings={<ContentsCard billing={slug} />}
    />
  );
}
