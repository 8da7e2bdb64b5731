import { DashboardNotFoundView } from '@/components/shared/dashboard-not-found-view';

export const metadata = { title: 'Not found' };

export default function DashboardNotFound() {
  return <DashboardNotFoundView />;
}
