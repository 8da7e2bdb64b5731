import { OperatorNotFoundView } from '@/components/operator/operator-not-found-view';

export const metadata = { title: 'Not found' };

export default function OperatorNotFound() {
  return <OperatorNotFoundView />;
}
