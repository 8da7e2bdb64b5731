'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { BILLING_PARAM } from '../shared/account-path';
import { NotYourTeam } from '../shared/dashboard-not-found-view';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { SearchX } from '../ui/icons';

/**
 * Shown for a purchase, receipt or account that does not exist or is not visible to this person.
 */
export function BillingNotFoundView() {
  const pathname = usePathname();
  const slug = useSearchParams().get(BILLING_PARAM);
  if (slug && pathname === '/dashboard/billing') return <NotYourTeam slug={slug} pathname={pathname} />;
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="Purchase or account not found"
        action={
          <Link href="/dashboard/billing" className={buttonClass()}>
            Go to Billing
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        The link may be incomplete, or it belongs to someone else. Your statement shows every payment you
        made.
      </EmptyState>
    </Card>
  );
}
