import { CircleSlash } from 'lucide-react';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';

/** This deployment runs none. */
export function JobsOff() {
  return (
    <>
      <PageHeader title="Jobs" />
      <Card>
        <EmptyState icon={<CircleSlash />} title="This gateway runs no jobs">
          Its operator has switched them off. Calls work as before: each is answered within its own request,
          and its log comes with a streamed call.
        </EmptyState>
      </Card>
    </>
  );
}
