import { cn } from '../cn';
import { buildSparkline } from './chart-scale';

interface SparklineProps {
  values: readonly number[];
  /** The accessible name, with the relevant figures. */
  label: string;
  className?: string;
}

/** A trend line in a row of text, rendered without client JavaScript. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const { line, area } = buildSparkline(values);
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
