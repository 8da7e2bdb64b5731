import { CardBody } from '../ui/card';
import { Loading, Skeleton } from '../ui/skeleton';

/** The same height as the report. */
export function ReportSkeleton() {
  return (
    <CardBody className="flex flex-col gap-6">
      <Loading label="Loading usage" />
      <div className="grid grid-cols-2 gap-6 lg:grid-cols-4">
        {['spend', 'calls', 'rate', 'time'].map((name) => (
          <div key={name} className="flex flex-col gap-2">
            <Skeleton className="w-16" />
            <Skeleton className="h-7 w-24" />
            <Skeleton className="w-20" />
          </div>
        ))}
      </div>
      <Skeleton className="h-72 w-full" />
    </CardBody>
  );
}
