import type { ReactNode } from 'react';
import { cn } from '../ui/cn';

interface FactsProps {
  rows: readonly (readonly [label: string, value: ReactNode])[];
  /** For short values: two columns even on a phone. */
  short?: boolean;
}

/** Names and values, in as many columns as fit. */
export function Facts({ rows, short }: FactsProps) {
  return (
    <dl
      className={cn(
        'grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-4',
        short && 'grid-cols-[minmax(0,2fr)_minmax(0,3fr)] max-sm:gap-x-4',
      )}
    >
      {rows.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="mt-0.5 min-w-0 break-words text-sm">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
