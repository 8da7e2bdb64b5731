import { Missing } from '@/components/dashboard/missing';

export const metadata = { title: 'Not found' };

export default function DashboardNotFound() {
  return <Missing />;
}
