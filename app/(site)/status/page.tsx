import { StatusPageView } from '@/components/site/status-view';
import { createCaller } from '@/server/api/trpc/caller';
import { publicPage } from '../../public-page';

export const metadata = publicPage({
  path: '/status',
  title: 'Status',
  description: 'Whether this gateway works now, its uptime of the last 90 days, and its incidents.',
});

export default async function StatusPage() {
  const api = await createCaller();
  return <StatusPageView status={await api.status.get()} />;
}
