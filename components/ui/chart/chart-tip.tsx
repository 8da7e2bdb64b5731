import { Swatch } from './legend';

interface ChartTipProps {
  title: string;
  /** The horizontal position: 0 is the left end of the plot, 1 the right. */
  at: number;
  total: string;
  /** In stacking order, top first. */
  lines: readonly { id: string; name: string; value: number; text: string; color: string }[];
}

/** The tooltip of a bar. Hidden from screen readers, which read the chart's status line. */
export function ChartTip({ title, at, total, lines }: ChartTipProps) {
  const parts = lines.filter(({ value }) => value > 0);
  const style: Record<`--${string}`, string> =
    at < 0.5
      ? { '--tip-left': `calc(${at * 100}% + 0.75rem)`, '--tip-right': 'auto' }
      : { '--tip-left': 'auto', '--tip-right': `calc(${(1 - at) * 100}% + 0.75rem)` };
  return (
    <div
      aria-hidden
      // Next to the bar, on the side with more room; above all bars on a phone, which has none.
      className="pointer-events-none absolute z-20 min-w-36 rounded-md border bg-raised px-2.5 py-2 text-xs shadow-pop max-sm:inset-x-0 max-sm:bottom-full max-sm:mb-1 sm:top-0 sm:right-(--tip-right) sm:left-(--tip-left) sm:w-max sm:max-w-64"
      style={style}
    >
      <p className="text-muted">{title}</p>
      <p className="font-semibold text-sm tabular-nums">{total}</p>
      {lines.length > 1 && parts.length > 0 && (
        <ul className="mt-1 flex flex-col gap-0.5">
          {parts.map((line) => (
            <li key={line.id} className="flex items-center gap-1.5">
              <Swatch color={line.color} />
              <span className="min-w-0 flex-1 truncate">{line.name}</span>
              <span className="pl-3 tabular-nums">{line.text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
