import { Missing } from '@/components/shared/missing';

export const metadata = { title: 'Not found' };

export default function DashboardNotFound() {
  return <Missing />;
}
