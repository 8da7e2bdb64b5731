import { SearchX } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';

export const metadata = { title: 'Not found' };

export default function UsageNotFound() {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title="There is no such usage to see"
        action={
          // Not the router's: for it this path is “not found” whatever its query says.
          <a href="/dashboard/usage" className={buttonClass()}>
            See your own usage
          </a>
        }
      >
        <h1 className="sr-only">Not found</h1>
        You are not in the team that this link names, or the key is not yours.
      </EmptyState>
    </Card>
  );
}
