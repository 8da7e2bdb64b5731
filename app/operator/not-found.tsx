import { NotFoundCard } from '@/components/shared/not-found-card';

export const metadata = { title: 'Not found' };

export default function OperatorNotFound() {
  return (
    <NotFoundCard href="/operator">The link may be incomplete, or the item has been removed.</NotFoundCard>
  );
}
