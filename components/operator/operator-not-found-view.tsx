import Link from 'next/link';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { SearchX } from '../ui/icons';

/** The 404 page of an account or tool, in the operator's frame. */
export function OperatorNotFoundView() {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="Page not found"
        action={
          <Link href="/operator" className={buttonClass()}>
            Go to overview
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        The link may be incomplete, or the item has been removed.
      </EmptyState>
    </Card>
  );
}
