import { formatNumber } from '../ui/format-number';

/** A change from the previous period. */
export interface Change {
  direction: 'up' | 'down' | 'same';
  /** Without a sign: `29%`, `2.5 points`. */
  text: string;
}

/** The change of an amount; null without an earlier amount above zero. */
export function percentChange(now: number, before: number | undefined): Change | null {
  if (before === undefined || before <= 0) return null;
  const percent = ((now - before) / before) * 100;
  const text = Math.abs(percent) >= 1000 ? 'over 1,000' : formatNumber(Math.round(Math.abs(percent)));
  return toChange(percent, 0.5, `${text}%`);
}

/** The change of a share, in percentage points. */
export function pointsChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  const points = (now - before) * 100;
  return toChange(points, 0.05, `${Math.abs(points).toFixed(1)} points`);
}

function toChange(difference: number, least: number, text: string): Change {
  if (Math.abs(difference) < least) return { direction: 'same', text: 'Unchanged' };
  return { direction: difference > 0 ? 'up' : 'down', text };
}
