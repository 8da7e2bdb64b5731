import { cn } from './cn';

/** A placeholder with the size of the coming content. Decorative: add one `<Loading>` per group. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn('h-4 animate-pulse-soft rounded-sm bg-line', className)} />;
}

/** Announces once, to screen readers, that something is loading. */
export function Loading({ label = 'Loading' }: { label?: string | undefined }) {
  return (
    <p role="status" className="sr-only">
      {label}
    </p>
  );
}

/** The placeholder of a table or list. */
export function SkeletonRows({ rows = 5, label }: { rows?: number; label?: string }) {
  return (
    <div className="divide-y">
      <Loading label={label} />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders that never move
        <div key={row} className="flex items-center gap-4 px-4 py-3.5 sm:px-5">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/4 max-sm:hidden" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}
