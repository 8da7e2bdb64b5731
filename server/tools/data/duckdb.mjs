// DuckDB for this tool's workers. Files are read and written in one kind of database, and callers'
// SQL runs in another, which never could (docs/decisions/0037).
import { DuckDBInstance } from '@duckdb/node-api';

/** For tables and results, in DuckDB's memory; it cannot spill to disk. */
const MEMORY_LIMIT = '512MB';
/** Planning time grows at least quadratically with the depth of an expression. */
const MAX_EXPRESSION_DEPTH = '250';
/** Errors quote values of the data, and failed queries are free, so both lengths are bounded. */
const MAX_MESSAGE_CHARS = 300;
const MAX_QUOTED_CHARS = 60;

/** @typedef {import('@duckdb/node-api').DuckDBConnection} Connection */

/** Databases that serve one call after the other: opening one takes 30 ms of computing. */
class DatabasePool {
  /** @type {DuckDBInstance[]} */
  #idle = [];

  /** @param {(connection: Connection) => Promise<void>} prepare a new database */
  constructor(prepare) {
    this.prepare = prepare;
  }

  /**
   * Runs work on an empty database, whose tables are dropped afterwards.
   * @template Value
   * @param {(connection: Connection) => Promise<Value>} work
   */
  async use(work) {
    const instance = this.#idle.pop() ?? (await this.#open());
    const connection = await instance.connect();
    try {
      return await work(connection);
    } finally {
      // A database that had a fatal error answers nothing any more.
      const isClean = await dropTables(connection).catch(() => false);
      connection.closeSync();
      if (isClean) this.#idle.push(instance);
      else instance.closeSync();
    }
  }

  async #open() {
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
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await this.prepare(connection);
    connection.closeSync();
    return instance;
  }
}

/** With files: only our own statements run there. */
const fileDatabases = new DatabasePool(async () => undefined);

/** Without files, network, other databases and extensions, from the start and permanently. */
const lockedDatabases = new DatabasePool(async (connection) => {
  await connection.run('SET enable_external_access = false');
  await connection.run("SET disabled_filesystems = 'LocalFileSystem'");
  await connection.run('SET lock_configuration = true');
});

/**
 * Runs our own statements in an empty database that can read and write files.
 * @template Value
 * @param {(connection: Connection) => Promise<Value>} work
 */
export function withDatabase(work) {
  return fileDatabases.use(work);
}

/**
 * Runs a caller's statement in an empty database that can reach nothing but its tables.
 * @template Value
 * @param {(connection: Connection) => Promise<Value>} work
 */
export function withLockedDatabase(work) {
  return lockedDatabases.use(work);
}

/** Also ends a result that was not read to its end. @param {Connection} connection */
async function dropTables(connection) {
  const found = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables()');
  for (const [name] of found.getRows()) await connection.run(`DROP TABLE ${quoteName(String(name))}`);
  return true;
}

/**
 * Creates a table for the rows of a result of another database.
 * @param {Connection} connection
 * @param {string} name
 * @param {import('@duckdb/node-api').DuckDBResult} result
 * @param {readonly string[]} [columns] other names of its columns
 */
export async function createTableFor(connection, name, result, columns = result.columnNames()) {
  const fields = result.columnTypes().map((type, at) => {
    // JSON is an alias of VARCHAR, and a constant NULL has a type that no table has.
    const named = type.alias ?? String(type);
    return `${quoteName(columns[at] ?? '')} ${named === '"NULL"' ? 'VARCHAR' : named}`;
  });
  await connection.run(`CREATE TABLE ${quoteName(name)} (${fields.join(', ')})`);
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
