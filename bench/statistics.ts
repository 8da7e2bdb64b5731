/** Above this share of its median, the spread of a ratio makes it unreliable. */
const NOISY_SPREAD = 0.25;

export interface Spread {
  median: number;
  min: number;
  max: number;
  noisy: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function spread(values: readonly number[]): Spread {
  const middle = median(values);
  const min = Math.min(...values);
  const max = Math.max(...values);
  return { median: middle, min, max, noisy: max - min > NOISY_SPREAD * middle };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
