'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { SearchX } from '../ui/icons';
import { BILLING_PARAM } from './account-path';
import { isScoped } from './account-scope';
import { NotFoundCard } from './not-found-card';

/** The 404 page inside the dashboard's frame. If the link names a team, it suggests joining it. */
export function DashboardNotFoundView() {
  const pathname = usePathname();
  const slug = useSearchParams().get(BILLING_PARAM);
  if (slug && isScoped(pathname)) return <NotYourTeam slug={slug} pathname={pathname} />;
  return (
    <NotFoundCard href="/dashboard">
      The link may be incomplete, or it belongs to another account.
    </NotFoundCard>
  );
}

/** Shown to non-members for a link to a team's data. Does not reveal whether the team exists. */
export function NotYourTeam({ slug, pathname }: { slug: string; pathname: string }) {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title={`You are not in a team called “${slug}”`}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            {/* A plain link: Next's router caches “not found” for this path whatever the query is. */}
            <a href={pathname} className={buttonClass({ variant: 'primary' })}>
              Show your own account
            </a>
            <Link href="/dashboard/team" className={buttonClass()}>
              View your teams
            </Link>
          </span>
        }
      >
        <h1 className="sr-only">Not found</h1>
        Ask the person who sent you the link to invite you, or sign in with the invited email address.
      </EmptyState>
    </Card>
  );
}
