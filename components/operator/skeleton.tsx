import { Card } from '../ui/card';
import { Skeleton, SkeletonRows } from '../ui/skeleton';

export function OperatorSkeleton() {
  return (
    <>
      <Skeleton className="h-8 w-44" />
      <Card>
        <div className="flex h-16 items-center gap-3 border-b px-4 sm:px-5">
          <Skeleton className="h-9 w-56" />
        </div>
        <SkeletonRows label="Loading the page" />
      </Card>
    </>
  );
}
