import { Card } from '../ui/card';
import { Loading, Skeleton } from '../ui/skeleton';

const PLACES = ['a', 'b', 'c', 'd', 'e'];

export function ProviderKeysSkeleton() {
  return (
    <>
      <Loading label="Loading provider keys" />
      <Skeleton className="h-14 w-full max-w-2xl" />
      <Card className="px-5 py-3">
        <Skeleton className="h-9 w-48" />
      </Card>
      <div className="flex flex-col gap-4">
        {PLACES.map((place) => (
          <Card key={place} className="flex flex-col gap-2 px-5 py-4">
            <Skeleton className="h-5 w-32" />
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
          </Card>
        ))}
      </div>
    </>
  );
}
