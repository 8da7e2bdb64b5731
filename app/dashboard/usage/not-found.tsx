import { buttonClass } from '@/components/ui/button-class';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { SearchX } from '@/components/ui/icons';

export const metadata = { title: 'Not found' };

export default function UsageNotFound() {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="Usage not found"
        action={
          // A plain link: Next's router caches “not found” for this path whatever the query is.
          <a href="/dashboard/usage" className={buttonClass()}>
            View your usage
          </a>
        }
      >
        <h1 className="sr-only">Not found</h1>
        You aren’t a member of this team, or the key isn’t yours.
      </EmptyState>
    </Card>
  );
}
