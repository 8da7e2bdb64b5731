import type { Metadata } from 'next';
import { PurchaseStatus } from '@/components/billing/purchase-status';
import type { QueryParams } from '@/components/site/query-params';
import { requirePurchase } from '../require-purchase';

export const metadata: Metadata = { title: 'Your purchase' };

export default async function SuccessPage({ searchParams }: { searchParams: QueryParams }) {
  return <PurchaseStatus initial={await requirePurchase('/dashboard/billing/success', searchParams)} />;
}
