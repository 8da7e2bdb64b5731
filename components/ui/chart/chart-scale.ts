/** A series of values over the shared buckets of a chart. */
export interface Series {
  id: string;
  name: string;
  values: readonly number[];
  /** The sum of all entries without their own series. */
  isRest?: boolean;
}

/** A stacked segment, in fractions of the plot's height. */
export interface Segment {
  /** 0 is the bottom of the plot, 1 the top. */
  from: number;
  to: number;
}

export interface Scale {
  top: number;
  ticks: readonly number[];
}

/**
 * A vertical axis from zero with round ticks, the last one at or above the highest value.
 * @param whole only integer ticks, for counts
 */
export function createScale(highest: number, { count = 4, whole: integer = false } = {}): Scale {
  const safe = Number.isFinite(highest) && highest > 0 ? highest : 0;
  if (safe === 0) return { top: 1, ticks: [0] };
  const { top, step } = roundUp(safe, count);
  const ticks = Array.from({ length: Math.round(step.count(top)) + 1 }, (_, at) => step.times(at)).filter(
    (tick) => tick <= top && (!integer || Number.isInteger(tick)),
  );
  return { top, ticks };
}

/** One, two or five times a power of ten. */
interface Step {
  size: number;
  times: (count: number) => number;
  count: (value: number) => number;
}

/**
 * The tick step that splits a range from zero into about `count` parts. Steps below one divide, to
 * stay exact.
 */
function chooseStep(top: number, count: number): Step {
  const rough = top / count;
  const power = Math.floor(Math.log10(rough));
  const digit = rough / 10 ** power;
  const factor = digit >= Math.sqrt(50) ? 10 : digit >= Math.sqrt(10) ? 5 : digit >= Math.sqrt(2) ? 2 : 1;
  if (power < 0) {
    const parts = 10 ** -power / factor;
    return { size: 1 / parts, times: (times) => times / parts, count: (value) => value * parts };
  }
  const size = 10 ** power * factor;
  return { size, times: (times) => times * size, count: (value) => value / size };
}

/** An upper bound: a larger top can require a larger step only a few times. */
const ROUNDS = 10;

/**
 * Same result as d3-scale's `nice` and `ticks` for a range from zero. d3 would add 18 kB to every
 * page with a chart.
 */
function roundUp(highest: number, count: number): { top: number; step: Step } {
  let top = highest;
  let step = chooseStep(top, count);
  for (let round = 0; round < ROUNDS; round++) {
    const steps = Math.ceil(step.count(top));
    top = step.times(step.times(steps) < highest ? steps + 1 : steps);
    const next = chooseStep(top, count);
    if (next.size === step.size) break;
    step = next;
  }
  return { top, step };
}

/** Smaller than any real value; steps between much smaller numbers lose precision. */
const SMALLEST = 1e-9;

/** NaN, negative values and values below SMALLEST are drawn as zero. */
function drawable(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value >= SMALLEST ? value : 0;
}

/** The height of each bucket: the sum of all series. */
export function sumBuckets(series: readonly Series[], buckets: number): number[] {
  return Array.from({ length: buckets }, (_, at) =>
    series.reduce((sum, { values }) => sum + drawable(values[at]), 0),
  );
}

/** The segments of each series in each bucket, stacked from the bottom. */
export function stackSeries(series: readonly Series[], buckets: number, top: number): Segment[][] {
  const ground = new Array<number>(buckets).fill(0);
  return series.map(({ values }) =>
    ground.map((from, at) => {
      const to = from + drawable(values[at]);
      ground[at] = to;
      return { from: share(from, top), to: share(to, top) };
    }),
  );
}

function share(value: number, top: number): number {
  return top > 0 ? Math.min(1, Math.max(0, value / top)) : 0;
}

/** The line and the area of a sparkline, as SVG paths in a 100 by 100 box. */
export function buildSparkline(values: readonly number[]): { line: string; area: string } {
  const highest = Math.max(0, ...values.map(drawable));
  const points = values.map((value, index) => {
    const x = values.length > 1 ? (index / (values.length - 1)) * 100 : 50;
    const y = 100 - (highest > 0 ? (drawable(value) / highest) * 94 : 0);
    return `${round(x)},${round(y)}`;
  });
  if (points.length === 0) return { line: '', area: '' };
  // A single value is a zero-length line, which its round caps make visible.
  const line = points.length === 1 ? `M${points[0]}Z` : `M${points.join('L')}`;
  const [first, last] = [points[0], points.at(-1)].map((point) => point?.split(',', 1)[0]);
  return { line, area: `M${points.join('L')}L${last},100L${first},100Z` };
}

/** Rounds to a thousandth: the box is only a few pixels high. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
