import { scaleLinear } from 'd3-scale';
import { area, line, stack } from 'd3-shape';

/** A sequence of values over the same buckets as the others of its chart. */
export interface Series {
  id: string;
  name: string;
  values: readonly number[];
  /** Stands for all that have no series of their own. */
  isRest?: boolean;
}

/** From zero up, in shares of the height of the plot. */
export interface Segment {
  /** Where it begins and ends: 0 is the ground, 1 the top. */
  from: number;
  to: number;
}

export interface Scale {
  top: number;
  ticks: readonly number[];
}

/**
 * A vertical axis from zero: round numbers, the last of which is at or above the highest value.
 * @param whole only whole numbers: calls have no halves
 */
export function scaleOf(highest: number, { count = 4, whole = false } = {}): Scale {
  const safe = Number.isFinite(highest) && highest > 0 ? highest : 0;
  if (safe === 0) return { top: 1, ticks: [0] };
  const scale = scaleLinear().domain([0, safe]).nice(count);
  const top = scale.domain()[1] ?? safe;
  const ticks = scale.ticks(count).filter((tick) => !whole || Number.isInteger(tick));
  return { top, ticks };
}

/** What is not a number, or below zero, is drawn as nothing. */
function drawable(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}

/** The height of each bucket, all series on top of each other. */
export function totalsOf(series: readonly Series[], buckets: number): number[] {
  return Array.from({ length: buckets }, (_, at) =>
    series.reduce((sum, { values }) => sum + drawable(values[at]), 0),
  );
}

/** Where each series lies in each bucket: the first at the ground, each of the others on the one before it. */
export function stackOf(series: readonly Series[], buckets: number, top: number): Segment[][] {
  const layers = stack<number, number>()
    .keys(series.keys())
    .value((bucket, key) => drawable(series[key]?.values[bucket]))(
    Array.from({ length: buckets }, (_, at) => at),
  );
  return layers.map((layer) => layer.map(([from, to]) => ({ from: share(from, top), to: share(to, top) })));
}

function share(value: number, top: number): number {
  return top > 0 ? Math.min(1, Math.max(0, value / top)) : 0;
}

/** The line and the area of a sparkline, as paths in a box of 100 by 100. */
export function sparkOf(values: readonly number[]): { line: string; area: string } {
  const highest = Math.max(0, ...values.map(drawable));
  const x = (_: number, index: number) => (values.length > 1 ? (index / (values.length - 1)) * 100 : 50);
  const y = (value: number) => 100 - (highest > 0 ? (drawable(value) / highest) * 94 : 0);
  return {
    line: line<number>().x(x).y(y)([...values]) ?? '',
    area: area<number>().x(x).y0(100).y1(y)([...values]) ?? '',
  };
}
