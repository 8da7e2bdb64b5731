import type { Metadata } from 'next';
import { AccountDeleted } from '@/components/account/account-deleted';

export const metadata: Metadata = { title: 'Account deleted', robots: { index: false, follow: false } };

export default function GoodbyePage() {
  return <AccountDeleted />;
}
