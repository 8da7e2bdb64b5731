import { Card } from '../ui/card';
import { Loading, Skeleton } from '../ui/skeleton';

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

export function AssetsSkeleton() {
  return (
    <>
      <div className="flex items-center justify-between">
        <Skeleton className="h-14 w-72" />
        <Skeleton className="h-9 w-32" />
      </div>
      <Card className="px-4 py-3.5 sm:px-5">
        <Skeleton className="h-9 w-full" />
      </Card>
      <Card>
        <div className="border-b px-4 py-3 sm:px-5">
          <Skeleton className="h-14 w-full max-w-2xl" />
        </div>
        <AssetsSkeletonRows />
      </Card>
    </>
  );
}

/** Placeholders for the files being loaded. */
export function AssetsSkeletonRows() {
  return (
    <div className="grid grid-cols-2 gap-3 p-4 sm:grid-cols-3 sm:gap-4 sm:p-5 lg:grid-cols-4 xl:grid-cols-5">
      <Loading label="Loading files" />
      {PLACES.map((place) => (
        <div key={place} className="rounded-lg border">
          <Skeleton className="aspect-4/3 h-auto w-full rounded-b-none" />
          <div className="flex flex-col gap-2 px-3 py-3">
            <Skeleton className="w-3/4" />
            <Skeleton className="h-3 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  );
}
