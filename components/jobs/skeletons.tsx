import { Card } from '../ui/card';
import { Skeleton, SkeletonRows } from '../ui/skeleton';

export function JobsSkeleton() {
  return (
    <>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-7 w-24" />
        <Skeleton className="h-5 w-full max-w-lg" />
      </div>
      <Card>
        <div className="flex h-[5.25rem] items-end gap-3 border-b px-4 pb-3 sm:px-5">
          <Skeleton className="h-9 w-40" />
          <Skeleton className="h-9 w-40" />
          <Skeleton className="h-9 w-40 max-sm:hidden" />
        </div>
        <SkeletonRows label="Loading jobs" />
      </Card>
    </>
  );
}
