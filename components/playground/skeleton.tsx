import { Card } from '../ui/card';
import { Loading, Skeleton } from '../ui/skeleton';

/** The page while its skill is being loaded. */
export function PlaygroundSkeleton() {
  return (
    <>
      <div className="flex h-14 items-center justify-between">
        <Skeleton className="h-7 w-36" />
        <Skeleton className="h-9 w-44" />
      </div>
      <div className="grid gap-5 lg:grid-cols-2">
        <Card className="flex flex-col gap-4 p-5">
          <Loading label="Loading the playground" />
          <Skeleton className="h-6 w-1/2" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-2/3" />
        </Card>
        <Card className="p-5">
          <Skeleton className="h-40 w-full" />
        </Card>
      </div>
    </>
  );
}
