// The time axis of a quick chart, for labels that are dates.

const DATE = /^\d{4}-\d\d(-\d\d)?(T[\d:.]+Z?)?$/;
const YEAR = /^\d{4}-01(-01)?$/;
const MONTH = /^\d{4}-\d\d(-01)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;
/** Room for a label such as `September`. */
const LABEL_PIXELS = 72;

/** The time of a date in UTC, in milliseconds; NaN for other text. @param {string} label */
export function readTime(label) {
  if (!DATE.test(label)) return Number.NaN;
  return Date.parse(label.includes('T') && !label.endsWith('Z') ? `${label}Z` : label);
}

/**
 * Ticks that are no finer than the labels: years, months or days.
 * @param {readonly string[]} labels
 * @param {number} pixels length of the axis
 */
export function timeTicks(labels, pixels) {
  const most = Math.max(2, Math.floor(pixels / LABEL_PIXELS));
  const times = labels.map(readTime);
  const days = (Math.max(...times) - Math.min(...times)) / DAY_MS;
  const all = (/** @type {RegExp} */ pattern) => labels.every((label) => pattern.test(label));
  const months = Math.round(days / 30.4) + 1;
  const step = [1, 2, 3, 4, 6].find((each) => months <= each * most);
  if (all(YEAR) || (all(MONTH) && step === undefined))
    return { tickCount: { interval: 'year', step: Math.ceil(months / 12 / most) } };
  if (all(MONTH)) return { tickCount: { interval: 'month', step } };
  // A longer time has so many days that the default ticks are no finer.
  return all(DAY) && days < 2 * most ? { tickCount: { interval: 'day', step: days < most ? 1 : 2 } } : {};
}
