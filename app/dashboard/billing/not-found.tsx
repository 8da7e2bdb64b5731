import { BillingMissing } from '@/components/billing/billing-missing';

export const metadata = { title: 'Not found' };

export default function BillingNotFound() {
  return <BillingMissing />;
}
