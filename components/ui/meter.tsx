import { cn } from './cn';

interface MeterProps {
  /** The accessible name: "Credits used of the key’s credit limit". */
  label: string;
  value: number;
  max: number;
  /** The amounts in words, announced instead of a percentage: "$1.20 of $5.00". */
  valueText?: string;
  /** `usage` turns amber from 80% and red at 100%; `progress` does not. */
  kind?: 'usage' | 'progress';
  className?: string;
}

/** A proportion as a bar. Show the numbers as text next to it. */
export function Meter({ label, value, max, valueText, kind = 'usage', className }: MeterProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : value > 0 ? 1 : 0;
  const tone = kind === 'progress' || share < 0.8 ? 'bg-accent' : share < 1 ? 'bg-warning' : 'bg-danger';
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles of the expression take a label and values
    <div
      role={kind === 'usage' ? 'meter' : 'progressbar'}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max > 0 ? max : 1}
      aria-valuenow={Math.min(value, max > 0 ? max : 1)}
      aria-valuetext={valueText}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div className={cn('h-full rounded-full', tone)} style={{ width: `${share * 100}%` }} />
    </div>
  );
}
