import { cn } from '../ui/cn';
import type { Change } from './change';

interface DeltaProps {
  change: Change;
  /** "previous 30 days". */
  period: string;
  /** The direction that is good; none for figures that are neither. */
  good?: 'up' | 'down' | undefined;
}

/** A change from the previous period: "↑ 29% vs previous 30 days". */
export function Delta({ change: { direction, text }, period, good }: DeltaProps) {
  if (direction === 'same') return `${text} vs ${period}`;
  const tone = good === undefined ? undefined : direction === good ? 'text-success' : 'text-danger';
  return (
    <>
      <span className={cn('whitespace-nowrap font-medium', tone)}>
        <span aria-hidden>{direction === 'up' ? '↑' : '↓'}</span>
        <span className="sr-only">{direction}</span> {text}
      </span>{' '}
      vs {period}
    </>
  );
}
