// Runs in a worker process, as evaluate-worker.mjs does.
import { editDistance } from '../../kit/edit-distance.mjs';
import { createMath } from './mathjs-worker.mjs';

/** Significant digits of a result; later ones are floating-point noise (211.99999999999997 °F). */
const DIGITS = 14;
const MAX_SUGGESTIONS = 3;

/** @typedef {{ UNITS: Record<string, unknown> }} UnitTable */

const math = createMath({});
const unitNames = Object.keys(/** @type {{ Unit: UnitTable }} */ (/** @type {unknown} */ (math)).Unit.UNITS);

/** Common spellings that mathjs does not know, in lower case. */
const ALIASES = new Map([
  ['°c', 'degC'],
  ['℃', 'degC'],
  ['centigrade', 'degC'],
  ['degrees celsius', 'degC'],
  ['degree celsius', 'degC'],
  ['deg c', 'degC'],
  ['°f', 'degF'],
  ['℉', 'degF'],
  ['degrees fahrenheit', 'degF'],
  ['degree fahrenheit', 'degF'],
  ['deg f', 'degF'],
  ['mph', 'mile/hour'],
  ['miles per hour', 'mile/hour'],
  ['kph', 'km/hour'],
  ['kmh', 'km/hour'],
  ['kilometers per hour', 'km/hour'],
  ['kilometres per hour', 'km/hour'],
  ['meters per second', 'm/s'],
  ['metres per second', 'm/s'],
  ['knot', '1852 m/hour'],
  ['knots', '1852 m/hour'],
  ['nautical mile', '1852 m'],
  ['nautical miles', '1852 m'],
  ['nmi', '1852 m'],
  ['micron', 'micrometer'],
  ['microns', 'micrometer'],
  ['sq ft', 'sqft'],
  ['square feet', 'sqft'],
  ['square foot', 'sqft'],
  ['square meters', 'm^2'],
  ['square metres', 'm^2'],
  ['square miles', 'sqmi'],
  ['square kilometers', 'km^2'],
  ['cubic meters', 'm^3'],
  ['cubic metres', 'm^3'],
  ['cubic feet', 'cuft'],
  ['fl oz', 'floz'],
  ['fluid ounce', 'floz'],
  ['fluid ounces', 'floz'],
  ['µm', 'um'],
  ['μm', 'um'],
  ['µg', 'ug'],
  ['μg', 'ug'],
  ['ml', 'mL'],
  ['kwh', 'kWh'],
  ['calorie', '4.184 J'],
  ['calories', '4.184 J'],
  ['cal', '4.184 J'],
  ['kcal', '4184 J'],
  ['horsepower', 'hp'],
  ['tablespoons', 'tablespoon'],
  ['ly', '9460730472580800 m'],
  ['light year', '9460730472580800 m'],
  ['light years', '9460730472580800 m'],
  ['astronomical unit', '149597870700 m'],
]);

/** Common case errors in symbols. Others are ambiguous: kb is kilobits, and MPa is not mPa. */
const SYMBOL_SLIPS = new Map([
  ['KB', 'kB'],
  ['Km', 'km'],
  ['KM', 'km'],
  ['Kg', 'kg'],
  ['KG', 'kg'],
  ['KW', 'kW'],
  ['Hr', 'hour'],
]);

/** Units with prefixes, for suggestions; mathjs' table lists units without prefixes. */
const PREFIXED = [
  'kilometer',
  'centimeter',
  'millimeter',
  'kilogram',
  'milligram',
  'milliliter',
  'kilowatt',
  'kilojoule',
  'kilobyte',
  'megabyte',
  'gigabyte',
  'terabyte',
];

/**
 * In mathjs C is coulomb and F is farad; converted to another temperature, they are temperatures.
 */
const TEMPERATURES = new Map([
  ['C', 'degC'],
  ['F', 'degF'],
  ['K', 'K'],
  ['degC', 'degC'],
  ['degF', 'degF'],
  ['celsius', 'degC'],
  ['fahrenheit', 'degF'],
  ['kelvin', 'K'],
]);

/**
 * Converts a value from one unit to another.
 * @param {{ value: number, from: string, to: string }} payload
 * @returns {{ ok: true, value: number } | { ok: false, message: string }}
 */
export function convert({ value, from, to }) {
  const source = parseUnit('from', from);
  if (typeof source === 'string') return { ok: false, message: source };
  const target = parseUnit('to', to);
  if (typeof target === 'string') return { ok: false, message: target };
  const fromTemperature = TEMPERATURES.get(normalized(from));
  const toTemperature = TEMPERATURES.get(normalized(to));
  const temperatures = fromTemperature && toTemperature ? { fromTemperature, toTemperature } : null;
  try {
    const converted = temperatures
      ? math.unit(value, temperatures.fromTemperature).toNumber(temperatures.toTemperature)
      : ratio(value, source, target);
    return finite(converted);
  } catch {
    return {
      ok: false,
      message: `from, to: "${from}" and "${to}" measure different quantities, so no conversion is possible.`,
    };
  }
}

/**
 * Divides by the factor of a unit such as knot; plain units go through mathjs.
 * @param {number} value
 * @param {import('mathjs').Unit} source
 * @param {import('mathjs').Unit} target
 */
function ratio(value, source, target) {
  if (!source.equalBase(target)) throw new Error('different dimensions');
  if (source.value === null && target.value === null) {
    return math.unit(value, source.formatUnits()).toNumber(target.formatUnits());
  }
  const one = /** @type {number} */ (source.value ?? math.unit(1, source.formatUnits()).value);
  const other = /** @type {number} */ (target.value ?? math.unit(1, target.formatUnits()).value);
  return (value * one) / other;
}

/** @param {number} value @returns {{ ok: true, value: number } | { ok: false, message: string }} */
function finite(value) {
  if (!Number.isFinite(value)) return { ok: false, message: 'value: the result is too large.' };
  return { ok: true, value: Number(value.toPrecision(DIGITS)) };
}

/** @param {string} unit */
function normalized(unit) {
  const text = unit.trim().replace(/\s+/g, ' ');
  return SYMBOL_SLIPS.get(text) ?? ALIASES.get(text.toLowerCase()) ?? text;
}

/**
 * @param {'from' | 'to'} field
 * @param {string} text
 * @returns {import('mathjs').Unit | string} the unit, or the message for the caller
 */
function parseUnit(field, text) {
  const name = normalized(text);
  for (const candidate of [
    name,
    name.replace(/metre/gi, 'meter').replace(/litre/gi, 'liter'),
    name.toLowerCase(),
  ]) {
    try {
      return math.unit(candidate);
    } catch {
      // Try the next spelling.
    }
  }
  const hints = suggestions(name);
  const hint = hints.length > 0 ? ` Did you mean ${hints.join(', ')}?` : '';
  return `${field}: unknown unit "${text}".${hint} Use units like km, mile, degC, kg, liter, km/h, m^2 or GiB.`;
}

/** @param {string} name @returns {string[]} */
function suggestions(name) {
  const wanted = name.toLowerCase().slice(0, 32);
  return [...unitNames, ...PREFIXED, ...ALIASES.keys()]
    .map((known) => ({ known, distance: editDistance(wanted, known.toLowerCase()) }))
    .filter(
      ({ known, distance }) => distance <= Math.max(1, Math.floor(Math.min(known.length, wanted.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance || b.known.length - a.known.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ known }) => known);
}
