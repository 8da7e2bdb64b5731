import { NotFoundView } from '@/components/site/not-found-view';

export const metadata = { title: 'Not found' };

export default function NotFound() {
  return <NotFoundView framed />;
}
