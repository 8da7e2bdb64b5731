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
 * Like `toJsonValue`, but numbers stay numbers, rounded if they are too long.
 * @param {import('@duckdb/node-api').DuckDBValue} value
 * @param {import('@duckdb/node-api').DuckDBType} type
 * @returns {import('@duckdb/node-api').Json}
 */
export function toNumberValue(value, type) {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  if (value === null || value instanceof DuckDBBlobValue) return toJsonValue(value, type);
  return toJson(value, type, toNumberValue);
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
 * @param {typeof toJsonValue} [convert]
 */
export function readRows(reader, convert = toJsonValue) {
  const names = reader.deduplicatedColumnNames();
  return reader.convertRows(convert).map((values) => toRow(names, values));
}
