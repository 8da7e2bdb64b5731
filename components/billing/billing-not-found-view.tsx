'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { BILLING_PARAM } from '../shared/account-path';
import { NotYourTeam } from '../shared/dashboard-not-found-view';
import { NotFoundCard } from '../shared/not-found-card';

/**
 * Shown for a purchase, receipt or account that does not exist or is not visible to this person.
 */
export function BillingNotFoundView() {
  const pathname = usePathname();
  const slug = useSearchParams().get(BILLING_PARAM);
  if (slug && pathname === '/dashboard/billing') return <NotYourTeam slug={slug} pathname={pathname} />;
  return (
    <NotFoundCard title="Purchase or account not found" href="/dashboard/billing" label="Go to Billing">
      The link may be incomplete, or it belongs to someone else. Your statement shows every payment you made.
    </NotFoundCard>
  );
}
