// DuckDB for the workers of this tool. Files are loaded by our own statements first; then the door
// is shut for good, and only after that a caller's SQL runs.
import { DuckDBInstance } from '@duckdb/node-api';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { formatOf } from './file-format.mjs';

/** What tables and results may have, in DuckDB's own memory. There is no spilling to disk. */
const MEMORY_LIMIT = '512MB';
/** Planning an expression takes a time that grows with the square of its depth, and more. */
const MAX_EXPRESSION_DEPTH = '250';
/** An error quotes values of the data, and a query that fails is free. */
const MAX_MESSAGE_CHARS = 300;
const MAX_QUOTED_CHARS = 60;

/**
 * A table to be made from a file.
 * @typedef {object} Source
 * @property {string} path on this machine; never shown
 * @property {string} filename as the caller knows it
 * @property {string} table its name, an identifier
 * @property {'csv' | 'json' | 'parquet'} [format] found by itself where not given
 * @property {string} [delimiter] of a CSV; found by itself where not given
 * @property {boolean} [header] whether a CSV's first line has names; found by itself where not given
 */

/** @typedef {import('@duckdb/node-api').DuckDBConnection} Connection */

/**
 * A database in memory that nobody else sees, without extensions from elsewhere. It ends with the work.
 * @template Value
 * @param {(connection: Connection) => Promise<Value>} work
 */
export async function withDatabase(work) {
  const { instance, connection } = await openDatabase();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

export async function openDatabase() {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: MEMORY_LIMIT,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
    enable_external_file_cache: 'false',
    max_expression_depth: MAX_EXPRESSION_DEPTH,
    preserve_insertion_order: 'true',
  });
  const connection = await instance.connect();
  // The machine's own zone would be shown, and results would depend on it.
  await connection.run("SET TimeZone = 'UTC'");
  return { instance, connection };
}

/**
 * No files, no network, no other database, no extension, and no way back: for what follows on this database.
 * @param {Connection} connection
 */
export async function shutDoor(connection) {
  await connection.run('SET enable_external_access = false');
  await connection.run("SET disabled_filesystems = 'LocalFileSystem'");
  await connection.run('SET lock_configuration = true');
}

/**
 * Loads a file whole.
 * @param {Connection} connection
 * @param {Source} source
 */
export async function loadTable(connection, source) {
  const format = source.format ?? (await formatOf(source));
  try {
    await connection.run(
      `CREATE TABLE ${quoteName(source.table)} AS SELECT * FROM ${readerOf(source, format)}`,
    );
  } catch (error) {
    const text = messageOf(error).replaceAll(source.path, source.filename);
    throw new Refusal(`${source.filename}: could not be read as ${format}. ${text}`);
  }
}

/**
 * The SQL that reads it.
 * @param {Source} source
 * @param {'csv' | 'json' | 'parquet'} format
 */
function readerOf({ path, delimiter, header }, format) {
  const file = quoteText(path);
  if (format === 'parquet') return `read_parquet(${file})`;
  // Never unpacked, because a compressed file could be a thousand times its size. Each reader has
  // its own word for it.
  if (format === 'json')
    return `read_json(${file}, format = 'auto', compression = 'uncompressed', maximum_object_size = 16777216)`;
  const given = [
    delimiter === undefined ? [] : [`delim = ${quoteText(delimiter)}`],
    header === undefined ? [] : [`header = ${header}`],
  ].flat();
  return `read_csv(${[file, "compression = 'none'", 'sample_size = 20480', ...given].join(', ')})`;
}

/** @param {string} name */
export function quoteName(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/** @param {string} text */
export function quoteText(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

const LONG_QUOTE = new RegExp(`('[^'\\n]{${MAX_QUOTED_CHARS}})[^'\\n]+(')`, 'g');

/** DuckDB's own words, which name the line, but no path and no page of them. @param {unknown} error */
export function messageOf(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^Failed to extract statements: /, '')
    .replace(/(^|[\s"'(])(?:\/[\w.@ -]+){2,}/g, '$1(a file)')
    .replace(LONG_QUOTE, '$1…$2')
    .trim()
    .slice(0, MAX_MESSAGE_CHARS);
}
