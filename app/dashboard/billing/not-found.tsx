import { BillingNotFoundView } from '@/components/billing/billing-not-found-view';

export const metadata = { title: 'Not found' };

export default function BillingNotFound() {
  return <BillingNotFoundView />;
}
