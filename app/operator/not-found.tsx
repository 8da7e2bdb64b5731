import { NothingHere } from '@/components/operator/nothing-here';

export const metadata = { title: 'Not found' };

export default function OperatorNotFound() {
  return <NothingHere />;
}
