import { Card } from '../ui/card';
import { Skeleton, SkeletonRows } from '../ui/skeleton';

export function WebhooksSkeleton() {
  return (
    <>
      <div className="flex h-9 items-center justify-between">
        <Skeleton className="h-7 w-36" />
        <Skeleton className="h-9 w-28" />
      </div>
      <Card>
        <SkeletonRows label="Loading webhooks" />
      </Card>
    </>
  );
}
