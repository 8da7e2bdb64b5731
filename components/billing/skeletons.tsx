import { Card } from '../ui/card';
import { Loading, Skeleton, SkeletonRows } from '../ui/skeleton';

function CardTop() {
  return (
    <div className="flex h-14 items-center border-b px-4 sm:px-5">
      <Skeleton className="h-5 w-24" />
    </div>
  );
}

function FormCard({ height }: { height: string }) {
  return (
    <Card>
      <CardTop />
      <div className="p-4 sm:p-5">
        <Skeleton className={height} />
      </div>
    </Card>
  );
}

export function BillingSkeleton() {
  return (
    <>
      <Loading label="Loading billing" />
      <div className="flex h-9 items-center">
        <Skeleton className="h-7 w-24" />
      </div>
      <Card className="p-4 sm:p-5">
        <Skeleton className="h-16 w-64 max-w-full" />
      </Card>
      <div className="grid gap-6 lg:grid-cols-2">
        <FormCard height="h-96" />
        <FormCard height="h-96" />
      </div>
      <FormCard height="h-44" />
      <Card>
        <CardTop />
        <SkeletonRows />
      </Card>
    </>
  );
}

export function ReceiptSkeleton() {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Loading label="Loading the receipt" />
      <div className="flex h-17 items-end justify-between">
        <Skeleton className="h-7 w-28" />
        <Skeleton className="h-9 w-24" />
      </div>
      <Card className="p-5 sm:p-8">
        <Skeleton className="h-96" />
      </Card>
    </div>
  );
}
