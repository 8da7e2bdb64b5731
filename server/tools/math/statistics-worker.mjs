// Without mathjs. Long lists run in a worker process: sorting 100,000 values blocks the event loop.

const MAX_MODES = 100;

/** @typedef {{ from: number, to: number, count: number }} Bin */

/**
 * Neumaier summation: a plain loop would lose small values next to large ones.
 * @param {ArrayLike<number>} values
 * @param {(value: number, index: number) => number} [term]
 */
export function sumValues(values, term = (value) => value) {
  let sum = 0;
  let lost = 0;
  for (let index = 0; index < values.length; index += 1) {
    const next = term(values[index] ?? 0, index);
    const total = sum + next;
    lost += Math.abs(sum) >= Math.abs(next) ? sum - total + next : next - total + sum;
    sum = total;
  }
  return sum + lost;
}

/**
 * Computes statistics of a list, and its linear regression with a second list.
 * @param {{ values: number[], y?: number[] | undefined, quantiles: number[], histogram_bins?:
 *   number | undefined }} payload
 */
export function describe({ values, y, quantiles, histogram_bins: bins }) {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  const sum = sumValues(sorted);
  const mean = sum / count;
  const squares = sumValues(sorted, (value) => (value - mean) ** 2);
  const min = sorted[0] ?? 0;
  const max = sorted[count - 1] ?? 0;
  return {
    count,
    sum,
    mean,
    median: computeQuantile(sorted, 0.5),
    mode: findModes(sorted),
    min,
    max,
    range: max - min,
    variance: count > 1 ? squares / (count - 1) : null,
    stdev: count > 1 ? Math.sqrt(squares / (count - 1)) : null,
    population_variance: squares / count,
    population_stdev: Math.sqrt(squares / count),
    quantiles: quantiles.map((probability) => ({ probability, value: computeQuantile(sorted, probability) })),
    // Sturges' rule by default: few bins for few values.
    histogram: buildHistogram(sorted, bins ?? Math.min(50, Math.ceil(Math.log2(count)) + 1)),
    regression: y ? fitRegression(values, y) : null,
  };
}

/**
 * Linear interpolation between the neighbours, as in Excel's PERCENTILE.INC and numpy (type 7).
 * @param {Float64Array} sorted
 * @param {number} probability 0 to 1
 */
function computeQuantile(sorted, probability) {
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[below + 1] ?? low;
  return low + (high - low) * (position - below);
}

/**
 * Returns the most frequent values; empty if no value occurs twice.
 * @param {Float64Array} sorted
 */
function findModes(sorted) {
  /** @type {number[]} */
  let modes = [];
  let best = 2;
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const value = sorted[start] ?? 0;
    while (end < sorted.length && sorted[end] === value) end += 1;
    if (end - start > best) modes = [];
    if (end - start >= best) {
      best = end - start;
      if (modes.length < MAX_MODES) modes.push(value);
    }
  }
  return modes;
}

/**
 * @param {Float64Array} sorted
 * @param {number} bins
 * @returns {Bin[]} equal widths; the last one includes the largest value
 */
function buildHistogram(sorted, bins) {
  const min = sorted[0] ?? 0;
  const max = sorted[sorted.length - 1] ?? 0;
  if (min === max) return [{ from: min, to: max, count: sorted.length }];
  const edge = (/** @type {number} */ index) => (index === bins ? max : min + ((max - min) * index) / bins);
  const histogram = Array.from({ length: bins }, (_, index) => ({
    from: edge(index),
    to: edge(index + 1),
    count: 0,
  }));
  let current = 0;
  for (const value of sorted) {
    while (current < bins - 1 && value >= edge(current + 1)) current += 1;
    const bin = histogram[current];
    if (bin) bin.count += 1;
  }
  return histogram;
}

/**
 * Least-squares line of y over x; its slope is null if all x are equal.
 * @param {number[]} x
 * @param {number[]} y
 */
function fitRegression(x, y) {
  const meanX = sumValues(x) / x.length;
  const meanY = sumValues(y) / y.length;
  const xx = sumValues(x, (value) => (value - meanX) ** 2);
  const yy = sumValues(y, (value) => (value - meanY) ** 2);
  const xy = sumValues(x, (value, index) => (value - meanX) * ((y[index] ?? 0) - meanY));
  if (xx === 0) return { slope: null, intercept: null, r: null, r_squared: null };
  const slope = xy / xx;
  // Two quotients, because the product of the sums could overflow.
  const rSquared = yy === 0 ? null : Math.min(1, slope * (xy / yy));
  return {
    slope,
    intercept: meanY - slope * meanX,
    r: rSquared === null ? null : Math.sign(slope) * Math.sqrt(rSquared),
    r_squared: rSquared,
  };
}
