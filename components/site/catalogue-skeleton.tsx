import { Loading, Skeleton } from '../ui/skeleton';

const PLACES = [1, 2, 3, 4, 5, 6];

/** The catalogue while it loads, at its size. */
export function CatalogueSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <Loading label="Loading the catalogue" />
      <Skeleton className="h-10 max-w-2xl" />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {PLACES.map((place) => (
          <div key={place} className="flex flex-col gap-3 rounded-lg border bg-surface p-5">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-4/5" />
            <Skeleton className="w-1/2" />
            <Skeleton className="mt-4 w-2/3" />
          </div>
        ))}
      </div>
    </div>
  );
}
