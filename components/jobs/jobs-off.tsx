import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { CircleSlash } from '../ui/icons';
import { PageHeader } from '../ui/page-header';

/** Shown on a gateway with jobs disabled. */
export function JobsOff() {
  return (
    <>
      <PageHeader title="Jobs" />
      <Card>
        <EmptyState icon={<CircleSlash />} title="Jobs are turned off">
          The operator of this gateway has turned off jobs. Calls still work: each returns its result within
          its own request, and streamed calls include the log.
        </EmptyState>
      </Card>
    </>
  );
}
