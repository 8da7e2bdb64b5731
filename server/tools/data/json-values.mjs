// Converts DuckDB values to JSON: numbers that JSON represents exactly, otherwise text.
import { DuckDBBlobValue, DuckDBDecimalValue, JsonDuckDBValueConverter as toJson } from '@duckdb/node-api';

/** Decimal digits that a double represents exactly. */
const EXACT_DIGITS = 15;

/**
 * @param {import('@duckdb/node-api').DuckDBValue} value
 * @param {import('@duckdb/node-api').DuckDBType} type
 * @returns {import('@duckdb/node-api').Json}
 */
export function toJsonValue(value, type) {
  if (value === null) return null;
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof DuckDBDecimalValue && value.scale === 0) return toJsonValue(value.value, type);
  if (value instanceof DuckDBDecimalValue)
    return value.width <= EXACT_DIGITS ? value.toDouble() : value.toString();
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  return toJson(value, type, toJsonValue);
}

/**
 * Builds an object from a row, keeping a column named `__proto__` as an ordinary field.
 * @template T
 * @param {readonly string[]} names
 * @param {readonly T[]} values
 * @returns {Record<string, T>}
 */
export function toRow(names, values) {
  return Object.fromEntries(names.map((name, at) => [name, /** @type {T} */ (values[at])]));
}

/**
 * Returns the rows as objects. DuckDB's own method would lose a column named `__proto__`.
 * @param {import('@duckdb/node-api').DuckDBResultReader} reader
 */
export function readRows(reader) {
  const names = reader.deduplicatedColumnNames();
  return reader.convertRows(toJsonValue).map((values) => toRow(names, values));
}
