import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';

/** Nothing here, inside the dashboard's frame. */
export function Missing() {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="There is nothing at this address"
        action={
          <Link href="/dashboard/keys" className={buttonClass()}>
            See your keys
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        The link may be cut short, or it belongs to another account.
      </EmptyState>
    </Card>
  );
}
