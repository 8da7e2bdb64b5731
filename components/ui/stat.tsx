import type { ReactNode } from 'react';
import { cn } from './cn';

interface StatProps {
  label: string;
  value: ReactNode;
  /** A second line, such as a comparison or a total. */
  note?: ReactNode;
  className?: string;
}

/** A labelled figure. Put several in a `<dl>`. */
export function Stat({ label, value, note, className }: StatProps) {
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="mt-0.5 font-semibold text-2xl tabular-nums">{value}</dd>
      {note && <dd className="text-muted text-sm">{note}</dd>}
    </div>
  );
}
