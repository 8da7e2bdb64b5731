import { MIN_CALLS_OF_RATE } from '@/server/catalog/tools/limits';
import { formatNumber } from '../ui/format-number';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** `< 1 ms`, `12 ms`, `1.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.round((ms % MINUTE_MS) / SECOND_MS);
  return `${Math.floor(ms / MINUTE_MS)} min ${seconds} s`;
}

/** `1 call`, `1,204 calls`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** `99.2%`; never rounded up to 100% if anything failed, nor down to 0% if anything succeeded. */
export function formatShare(part: number, whole: number): string {
  if (part === whole) return '100%';
  const percent = Math.min(99.9, Math.max(part > 0 ? 0.1 : 0, (part / whole) * 100));
  return `${percent.toFixed(percent === 0 ? 0 : 1)}%`;
}

/** Whether a rate of this many calls may be shown. */
export function hasRate(calls: number): boolean {
  return calls >= MIN_CALLS_OF_RATE;
}

/** Adds dollars in whole micro-dollars, without floating-point error. */
export function addUsd(a: number, b: number): number {
  return (Math.round(a * 1e6) + Math.round(b * 1e6)) / 1e6;
}
