'use client';

import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { BILLING_PARAM } from '../shared/account-scope';
import { NotYourTeam } from '../shared/missing';
import { buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';

/** No such purchase, receipt or account, or none that this person may see. */
export function BillingMissing() {
  const pathname = usePathname();
  const slug = useSearchParams().get(BILLING_PARAM);
  if (slug && pathname === '/dashboard/billing') return <NotYourTeam slug={slug} pathname={pathname} />;
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="There is no such purchase or account"
        action={
          <Link href="/dashboard/billing" className={buttonClass()}>
            Go to Billing
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        The link may be cut short, or it belongs to someone else. Your statement shows every payment that came
        in.
      </EmptyState>
    </Card>
  );
}
