import { cn } from '../cn';
import { sparkOf } from './chart-scale';

interface SparklineProps {
  values: readonly number[];
  /** What it shows, with the figures that matter: the line itself says little to who cannot see it. */
  label: string;
  className?: string;
}

/** A trend in a line of text. No script of its own. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const { line, area } = sparkOf(values);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      className={cn('h-8 w-full overflow-visible', className)}
    >
      <path d={area} className="fill-accent-soft" />
      <path
        d={line}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
