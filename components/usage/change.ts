/** How a figure stands to that of the span before: `+12 %`, `−3 %`; null where nothing can be compared. */
export function percentChange(now: number, before: number | undefined): string | null {
  if (before === undefined || (now === 0 && before === 0)) return null;
  if (before === 0) return 'none before';
  const percent = ((now - before) / before) * 100;
  if (Math.abs(percent) < 0.5) return 'unchanged';
  const text =
    Math.abs(percent) >= 1000 ? 'over 1,000' : Math.round(Math.abs(percent)).toLocaleString('en-US');
  return `${percent > 0 ? '+' : '−'}${text} %`;
}

/** How a share stands to the one before, in points of a hundred. */
export function pointsChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const points = (now - before) * 100;
  if (Math.abs(points) < 0.05) return 'unchanged';
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} points`;
}
