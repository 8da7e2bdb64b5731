// DuckDB for this tool's workers. Our own statements load the files first; then external access is
// disabled permanently, and only after that a caller's SQL runs.
import { DuckDBInstance } from '@duckdb/node-api';

/** For tables and results, in DuckDB's memory; it cannot spill to disk. */
const MEMORY_LIMIT = '512MB';
/** Planning time grows at least quadratically with the depth of an expression. */
const MAX_EXPRESSION_DEPTH = '250';
/** Errors quote values of the data, and failed queries are free, so both lengths are bounded. */
const MAX_MESSAGE_CHARS = 300;
const MAX_QUOTED_CHARS = 60;

/** @typedef {import('@duckdb/node-api').DuckDBConnection} Connection */

/**
 * Runs work on a new in-memory database without external extensions, and closes it afterwards.
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
  // Otherwise results would depend on the machine's time zone.
  await connection.run("SET TimeZone = 'UTC'");
  return { instance, connection };
}

/**
 * Permanently disables files, network, other databases and extensions on this database.
 * @param {Connection} connection
 */
export async function disableExternalAccess(connection) {
  await connection.run('SET enable_external_access = false');
  await connection.run("SET disabled_filesystems = 'LocalFileSystem'");
  await connection.run('SET lock_configuration = true');
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

/**
 * DuckDB's message with the line number, but without paths and long quotes.
 * @param {unknown} error
 */
export function getMessage(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^Failed to extract statements: /, '')
    .replace(/(^|[\s"'(])(?:\/[\w.@ -]+){2,}/g, '$1(a file)')
    .replace(LONG_QUOTE, '$1…$2')
    .trim()
    .slice(0, MAX_MESSAGE_CHARS);
}
