import { Card } from '../ui/card';
import { Skeleton, SkeletonRows } from '../ui/skeleton';

export function ReviewsSkeleton() {
  return (
    <>
      <Skeleton className="h-14 w-full max-w-2xl" />
      <Card>
        <div className="border-b px-4 py-4 sm:px-5">
          <Skeleton className="h-5 w-32" />
        </div>
        <SkeletonRows rows={4} label="Loading reviews" />
      </Card>
    </>
  );
}
