import { Card } from '../ui/card';
import { Loading, Skeleton, SkeletonRows } from '../ui/skeleton';
import { ReportSkeleton } from './report-states';

function Heading({ action }: { action?: boolean }) {
  return (
    <div className="flex h-9 items-center justify-between">
      <Skeleton className="h-7 w-36" />
      {action && <Skeleton className="h-9 w-28" />}
    </div>
  );
}

function CardTop() {
  return (
    <div className="flex h-14 items-center justify-between border-b px-4 sm:px-5">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-7 w-40" />
    </div>
  );
}

export function OverviewSkeleton() {
  return (
    <>
      <Heading />
      <Card className="p-5">
        <Loading label="Loading the overview" />
        <Skeleton className="h-20 w-full" />
      </Card>
      <Card>
        <CardTop />
        <ReportSkeleton />
      </Card>
      <Card>
        <CardTop />
        <SkeletonRows label="Loading calls" />
      </Card>
    </>
  );
}

export function KeysSkeleton() {
  return (
    <>
      <Heading action />
      <Card>
        <CardTop />
        <SkeletonRows label="Loading keys" />
      </Card>
    </>
  );
}

export function KeySkeleton() {
  return (
    <>
      <Heading action />
      <Card className="grid grid-cols-2 gap-4 p-5 lg:grid-cols-3">
        {['status', 'key', 'used', 'last', 'created', 'id'].map((name) => (
          <Skeleton key={name} className="h-10 w-32" />
        ))}
      </Card>
      <Card>
        <CardTop />
        <ReportSkeleton />
      </Card>
      <Card>
        <CardTop />
        <SkeletonRows label="Loading calls" />
      </Card>
    </>
  );
}

export function TeamsSkeleton() {
  return (
    <>
      <Heading action />
      <Card>
        <SkeletonRows label="Loading your teams" />
      </Card>
    </>
  );
}

export function TeamSkeleton() {
  return (
    <>
      <Heading action />
      <Card className="grid grid-cols-2 gap-4 p-5 lg:grid-cols-4">
        {['balance', 'spent', 'slug', 'role'].map((name) => (
          <Skeleton key={name} className="h-12 w-32" />
        ))}
      </Card>
      <Card>
        <CardTop />
        <SkeletonRows rows={3} label="Loading the team" />
      </Card>
      <Card>
        <CardTop />
        <SkeletonRows rows={3} label="Loading what was spent" />
      </Card>
    </>
  );
}

export function SettingsSkeleton() {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Heading />
      <Card>
        <CardTop />
        <SkeletonRows rows={2} label="Loading settings" />
      </Card>
      <Card>
        <CardTop />
        <SkeletonRows rows={3} label="Loading sessions" />
      </Card>
    </div>
  );
}
