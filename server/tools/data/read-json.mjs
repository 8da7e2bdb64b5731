// Reads JSON and JSON Lines: fields and types come from the whole file, and numbers keep their
// digits.
import { Refusal } from '../../kit/worker-refusal.mjs';
import { writeBounded } from './bounded-file.mjs';
import { quoteText } from './duckdb.mjs';
import { readBlocks } from './file-blocks.mjs';
import { isLost, JsonSurvey, losesNumbers } from './json-survey.mjs';
import { JsonTokens, MAX_JSON_RECORD_BYTES } from './json-tokens.mjs';
import { toUtf8 } from './source-encoding.mjs';
import { chooseType, ValueTypes } from './value-types.mjs';

/** @import { JsonField } from './json-survey.mjs' */

// Decompression is off, because a compressed file can expand a thousandfold.
const OPTIONS = `compression = 'uncompressed', maximum_object_size = ${MAX_JSON_RECORD_BYTES}`;

/**
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {import('./load-table.mjs').Source} source
 * @returns {Promise<{ query: string, dialect: import('./read-csv.mjs').Dialect }>} `query` selects
 *   the table
 * @throws {Refusal} with the line that is not valid
 */
export async function readJson(connection, source) {
  const file = await toUtf8(source, false);
  const survey = new JsonSurvey(new ValueTypes());
  const tokens = await readTokens(file.path, file.offset, survey);
  if (tokens.values === 0) throw new Refusal('the file is empty. Pass a file with at least one value.');
  let { path } = file;
  if (file.offset > 0 || losesNumbers(survey)) {
    path = source.scratch === file.path ? `${source.scratch}.json` : source.scratch;
    await writeExactly(file, path, survey);
  }
  const isOneList = survey.isList === true && tokens.values === 1;
  const format = isOneList ? 'array' : tokens.areLines ? 'newline_delimited' : 'unstructured';
  const dialect = { format: /** @type {const} */ ('json'), encoding: file.encoding, notes: file.notes };
  if (survey.objects + survey.others === 0) return { query: 'SELECT NULL::VARCHAR AS json LIMIT 0', dialect };
  const reader = `${quoteText(path)}, format = '${format}', ${OPTIONS}`;
  return {
    query: await buildQuery(connection, survey, reader, survey.isList !== true || isOneList),
    dialect,
  };
}

/**
 * @param {string} path
 * @param {number} offset
 * @param {JsonSurvey} visitor
 * @param {(bytes: Buffer, to: number) => Promise<void>} [afterBlock]
 */
async function readTokens(path, offset, visitor, afterBlock) {
  const tokens = new JsonTokens(visitor);
  const read = await readBlocks(
    path,
    offset,
    async (bytes, to, isLast) => {
      const at = tokens.push(bytes, to, isLast);
      await afterBlock?.(bytes, at);
      return at;
    },
    MAX_JSON_RECORD_BYTES,
  );
  if (!read) throw new Refusal(`line ${tokens.line} has a text of more than 16 MiB.`);
  return tokens;
}

/**
 * Writes the file with numbers that DuckDB would change as text.
 * @param {import('./source-encoding.mjs').Utf8File} file
 * @param {string} path
 * @param {JsonSurvey} survey of the whole file
 */
async function writeExactly(file, path, survey) {
  /** @type {number[]} offsets of quotes to insert in the block */
  let quotes = [];
  const again = new JsonSurvey(new ValueTypes());
  again.onNumber = ({ name, isInner }, start, end, types) => {
    const field = (isInner ? survey.inner : survey.fields).get(name);
    if (field && isLost(field, types)) quotes.push(start, end);
  };
  await writeBounded(path, (write) =>
    readTokens(file.path, file.offset, again, async (bytes, to) => {
      let from = 0;
      const parts = [];
      for (const at of quotes) {
        parts.push(bytes.toString('latin1', from, at));
        from = at;
      }
      parts.push(bytes.toString('latin1', from, to));
      quotes = [];
      await write(Buffer.from(parts.join('"'), 'latin1'));
    }),
  );
}

/**
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {JsonSurvey} survey
 * @param {string} reader arguments of read_json
 * @param {boolean} areRecords false for lists, one a line
 */
async function buildQuery(connection, { fields, others }, reader, areRecords) {
  const names = [...fields.keys()];
  const isUnique = new Set(names.map((name) => name.toLowerCase())).size === names.length;
  const hasRecords = areRecords && others === 0 && names.length > 0;
  const needsInference = !hasRecords || !isUnique || [...fields.values()].some(isNested);
  const inferred = needsInference ? await inferTypes(connection, reader) : new Map();
  // DuckDB renames the second of two names that differ in case only.
  if (hasRecords && !isUnique) return `SELECT * FROM read_json(${reader}, sample_size = -1)`;
  const types = hasRecords
    ? [...fields].map(([name, field]) => [name, chooseFieldType(field, inferred.get(name))])
    : [...inferred];
  const columns = types.map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`);
  const records = hasRecords ? '' : ', records = false';
  return `SELECT * FROM read_json(${reader}, columns = {${columns.join(', ')}}${records})`;
}

/** @param {JsonField} field @param {string | undefined} nested type as DuckDB finds it */
function chooseFieldType(field, nested) {
  if (isNested(field)) return nested ?? 'VARCHAR';
  return field.hasNested ? 'VARCHAR' : chooseType(field.column);
}

/** @param {JsonField} field */
function isNested({ hasNested, hasScalar }) {
  return hasNested && !hasScalar;
}

/**
 * Types of the columns as DuckDB finds them in the whole file. Mixed values within are text, and so
 * are dates, which it guesses in many forms.
 * @param {import('./duckdb.mjs').Connection} connection
 * @param {string} reader
 * @returns {Promise<Map<string, string>>}
 */
async function inferTypes(connection, reader) {
  const result = await connection.run(`SELECT * FROM read_json(${reader}, sample_size = -1) LIMIT 0`);
  return new Map(
    result.columnNames().map((name, at) => [name, withoutGuesses(String(result.columnType(at)))]),
  );
}

/** @param {string} type in which all names are quoted */
function withoutGuesses(type) {
  // The driver cannot return an object with a field of this name.
  if (type.includes('"__proto__"')) return 'VARCHAR';
  return type.replace(
    /"(?:[^"]|"")*"|\b(?:TIMESTAMP WITH TIME ZONE|TIMESTAMP(?:_N?S|_MS)?|DATE|TIME|UUID|JSON)\b/g,
    (part) => (part.startsWith('"') ? part : 'VARCHAR'),
  );
}
