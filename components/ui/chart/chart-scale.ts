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
  const { top, step } = roundUp(safe, count);
  const ticks = Array.from({ length: Math.round(step.count(top)) + 1 }, (_, at) => step.times(at)).filter(
    (tick) => tick <= top && (!whole || Number.isInteger(tick)),
  );
  return { top, ticks };
}

/** One, two or five of a power of ten. */
interface Step {
  size: number;
  times: (count: number) => number;
  count: (value: number) => number;
}

/** The step that parts a range from zero into about so many; multiples of one below one are exact by dividing. */
function stepOf(top: number, count: number): Step {
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

/** More than it takes: a larger top can ask for a larger step, a few times at most. */
const ROUNDS = 10;

/** As d3-scale's `nice` and `ticks` do for a range from zero; d3 itself is 18 kB on every page with a chart. */
function roundUp(highest: number, count: number): { top: number; step: Step } {
  let top = highest;
  let step = stepOf(top, count);
  for (let round = 0; round < ROUNDS; round++) {
    const steps = Math.ceil(step.count(top));
    top = step.times(step.times(steps) < highest ? steps + 1 : steps);
    const next = stepOf(top, count);
    if (next.size === step.size) break;
    step = next;
  }
  return { top, step };
}

/** Nothing that is counted here is smaller; steps between much smaller numbers are no numbers any more. */
const SMALLEST = 1e-9;

/** What is not a number, below zero or smaller than anything counted is drawn as nothing. */
function drawable(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value >= SMALLEST ? value : 0;
}

/** The height of each bucket, all series on top of each other. */
export function totalsOf(series: readonly Series[], buckets: number): number[] {
  return Array.from({ length: buckets }, (_, at) =>
    series.reduce((sum, { values }) => sum + drawable(values[at]), 0),
  );
}

/** Where each series lies in each bucket: the first at the ground, each of the others on the one before it. */
export function stackOf(series: readonly Series[], buckets: number, top: number): Segment[][] {
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

/** The line and the area of a sparkline, as paths in a box of 100 by 100. */
export function sparkOf(values: readonly number[]): { line: string; area: string } {
  const highest = Math.max(0, ...values.map(drawable));
  const points = values.map((value, index) => {
    const x = values.length > 1 ? (index / (values.length - 1)) * 100 : 50;
    const y = 100 - (highest > 0 ? (drawable(value) / highest) * 94 : 0);
    return `${round(x)},${round(y)}`;
  });
  if (points.length === 0) return { line: '', area: '' };
  // One value is a point: a line of no length, which its round ends show.
  const line = points.length === 1 ? `M${points[0]}Z` : `M${points.join('L')}`;
  const [first, last] = [points[0], points.at(-1)].map((point) => point?.split(',', 1)[0]);
  return { line, area: `M${points.join('L')}L${last},100L${first},100Z` };
}

/** A thousandth of a box that is a few pixels high. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
