'use client';

import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { BILLING_PARAM, isScoped } from './account-scope';

/** Nothing here, inside the dashboard's frame; where the link names a team, it says that it may be that. */
export function Missing() {
  const pathname = usePathname();
  const slug = useSearchParams().get(BILLING_PARAM);
  if (slug && isScoped(pathname)) return <NotYourTeam slug={slug} pathname={pathname} />;
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="There is nothing at this address"
        action={
          <Link href="/dashboard" className={buttonClass()}>
            Go to the overview
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        The link may be cut short, or it belongs to another account.
      </EmptyState>
    </Card>
  );
}

/** A link to a team's money, opened by someone who is not in it: whether there is such a team is not said. */
export function NotYourTeam({ slug, pathname }: { slug: string; pathname: string }) {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title={`You are not in a team called “${slug}”`}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {/* Not the router's: for it this path is “not found” whatever its query says. */}
            <a href={pathname} className={buttonClass({ variant: 'primary' })}>
              Show your own account
            </a>
            <Link href="/dashboard/team" className={buttonClass()}>
              See your teams
            </Link>
          </span>
        }
      >
        <h1 className="sr-only">Not found</h1>
        Ask who sent you the link to invite you, or sign in with the address they invited.
      </EmptyState>
    </Card>
  );
}
