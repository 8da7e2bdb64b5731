import { cn } from './cn';

/** Holds the place of what is coming, at its size. Decorative: put one `<Loading>` beside a group of them. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('h-4 animate-pulse-soft rounded-sm bg-line', className)} />;
}

/** Says once, to those who cannot see the skeletons, that something is loading. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <p role="status" className="sr-only">
      {label}
    </p>
  );
}

/** A table or list that is still loading. */
export function SkeletonRows({ rows = 5, label }: { rows?: number; label?: string }) {
  return (
    <div className="divide-y">
      <Loading label={label} />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
        <div key={row} className="flex items-center gap-4 px-4 py-3.5 sm:px-5">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/4 max-sm:hidden" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}
