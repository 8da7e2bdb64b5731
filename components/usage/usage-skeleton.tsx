import { ReportSkeleton } from '../shared/report-states';
import { Card } from '../ui/card';
import { Skeleton, SkeletonRows } from '../ui/skeleton';

/** The placeholder of the usage page. */
export function UsageSkeleton() {
  return (
    <>
      <Skeleton className="h-9 w-36" />
      <Card>
        <div className="border-b px-5 py-3">
          <Skeleton className="h-8 w-80 max-w-full" />
        </div>
        <div className="border-b px-5 py-3">
          <Skeleton className="h-14 w-full" />
        </div>
        <ReportSkeleton />
      </Card>
      <Card>
        <SkeletonRows label="Loading calls" />
      </Card>
    </>
  );
}
