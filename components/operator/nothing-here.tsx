import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';

/** An account or tool that is not there, in the operator's frame. */
export function NothingHere() {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="There is nothing at this address"
        action={
          <Link href="/operator" className={buttonClass()}>
            Go to the overview
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        The link may be cut short, or what it names has been removed.
      </EmptyState>
    </Card>
  );
}
