/** The change from the previous period: `+12%`, `−3%`; null if there is nothing to compare. */
export function percentChange(now: number, before: number | undefined): string | null {
  if (before === undefined || (now === 0 && before === 0)) return null;
  if (before === 0) return 'no earlier data';
  const percent = ((now - before) / before) * 100;
  if (Math.abs(percent) < 0.5) return 'unchanged';
  const text =
    Math.abs(percent) >= 1000 ? 'over 1,000' : Math.round(Math.abs(percent)).toLocaleString('en-US');
  return `${percent > 0 ? '+' : '−'}${text}%`;
}

/** The change of a share from the previous period, in percentage points. */
export function pointsChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const points = (now - before) * 100;
  if (Math.abs(points) < 0.05) return 'unchanged';
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} points`;
}
