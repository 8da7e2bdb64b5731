// Checks the syntax tree of a caller's SQL before DuckDB plans it: planning already calls
// functions, and one that reads memory by address or runs a statement is enough
// (docs/decisions/0037).
import { Refusal } from '../../kit/worker-refusal.mjs';
import { messageOf, openDatabase, shutDoor } from './duckdb.mjs';
import { isKnownForm, isKnownTypeId } from './sql-forms.mjs';
import { SCALAR_FUNCTIONS, TABLE_FUNCTIONS, TYPES } from './sql-functions.mjs';

/** @typedef {import('./duckdb.mjs').Connection} Connection */
/** @typedef {Record<string, unknown>} Node an object of the syntax tree */

const MAX_DEPTH = 1_500;
/** Names by which the memory database of withDatabase can be called. */
const OWN_SCHEMAS = new Set(['', 'main', 'memory']);
/** Functions whose last argument is a text with types. */
const TYPED_BY_TEXT = new Set(['from_json', 'from_json_strict', 'json_transform', 'json_transform_strict']);
const SERIALIZED = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE']);
const MAX_SHOWN_NAME = 60;
/** Views of DuckDB that a name without a schema resolves to. */
const SYSTEM_VIEWS =
  "SELECT lower(view_name) FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'";

/**
 * Refuses SQL that is more than one SELECT, or that calls, reads or names anything but what is
 * listed.
 * @param {string} sql
 * @param {readonly string[]} tables the caller's own
 * @throws {Refusal}
 */
export async function admitSql(sql, tables) {
  // Text in C ends there, so two parsers could see two statements.
  if (sql.includes('\0')) throw new Refusal('sql: has the character U+0000. Remove it.');
  parser ??= openParser().catch((error) => {
    parser = undefined;
    throw error;
  });
  const { connection, views } = await parser;
  checkStatement(await parse(connection, sql), { tables, views });
}

/** @type {ReturnType<typeof openParser> | undefined} */
let parser;

/**
 * An empty database that parses the statements of all calls of this process, and runs none of them.
 */
async function openParser() {
  const { connection } = await openDatabase();
  await shutDoor(connection);
  const views = await connection.runAndReadAll(SYSTEM_VIEWS);
  return { connection, views: new Set(views.getRows().map(([name]) => String(name))) };
}

/** @param {Connection} connection @param {string} sql */
async function parse(connection, sql) {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($sql::VARCHAR)', { sql });
  const parsed = readTree(String(reader.getRows()[0]?.[0]));
  if (parsed.error) throw await refusalOf(connection, sql, parsed);
  if (parsed.statements.length !== 1)
    throw new Refusal(`sql: has ${parsed.statements.length} statements. Send one SELECT.`);
  const [{ node }] = parsed.statements;
  if (!SERIALIZED.has(node?.type)) throw new Refusal(ONLY_SELECT);
  return /** @type {Node} */ (parsed.statements[0]);
}

/** @param {string} text that DuckDB wrote; its numbers may be Infinity, which is no JSON */
function readTree(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('sql: a number is too large. Write a smaller one, or a text that is cast.');
  }
}

const ONLY_SELECT = 'sql: only one SELECT is possible (WITH, FROM, VALUES, DESCRIBE and SUMMARIZE too).';

/** @param {Connection} connection @param {string} sql @param {Record<string, string>} error */
async function refusalOf(connection, sql, { error_type: type, error_message: message }) {
  if (type !== 'parser') {
    if (/\bpivot\b/i.test(sql))
      return new Refusal("sql: PIVOT needs its values: PIVOT t1 ON column IN ('a', 'b') USING sum(n).");
    return new Refusal(ONLY_SELECT);
  }
  // Parses again for the message with its line; it has failed to parse, so nothing else happens.
  const words = await connection.extractStatements(sql).then(() => `Parser Error: ${message}`, messageOf);
  return new Refusal(`sql: ${words}`);
}

/**
 * @param {Node} statement
 * @param {{ tables: readonly string[], views: ReadonlySet<string> }} known
 */
function checkStatement(statement, { tables, views }) {
  const own = new Set(tables.map((name) => name.toLowerCase()));
  const queries = new Set();
  for (const name of namedQueries(statement)) {
    // Outside of its scope the name would resolve to a view of DuckDB, or to a file.
    if (views.has(name) || /[./\\:*?[]/.test(name))
      throw new Refusal(`sql: a query of WITH cannot be called ${shown(name)}. Give it another name.`);
    queries.add(name);
  }
  visit(statement, { own, queries }, 0);
}

/** @param {unknown} value @returns {Generator<string>} names that WITH gives, in lower case */
function* namedQueries(value) {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const { map } = /** @type {{ map?: unknown }} */ (next);
    if (Array.isArray(map)) for (const { key } of map) yield String(key).toLowerCase();
    open.push(...Object.values(next));
  }
}

/**
 * Walks the whole tree, and refuses what is not known.
 * @param {unknown} value
 * @param {{ own: ReadonlySet<string>, queries: ReadonlySet<unknown> }} names
 * @param {number} depth
 */
function visit(value, names, depth) {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw new Refusal('sql: is nested too deeply. Use WITH, or simplify it.');
  if (Array.isArray(value)) {
    for (const item of value) visit(item, names, depth + 1);
    return;
  }
  const node = /** @type {Node} */ (value);
  if (!isKnownForm(node)) throw new Refusal(unknownForm(node));
  if (node.class === 'FUNCTION' || node.class === 'WINDOW') checkFunction(node);
  else if (node.type === 'BASE_TABLE') checkTable(node, names);
  else if (node.type === 'SHOW_REF') checkShow(node);
  else if (node.type === 'UNBOUND_TYPE_INFO') checkType(node);
  else if ('type_info' in node && !isKnownTypeId(node.id)) throw new Refusal(unavailableType(node.id));
  if (node.type !== 'TABLE_FUNCTION') return visitFields(node, names, depth);
  const { function: called, ...others } = node;
  visitFields(others, names, depth);
  visitFields(checkTableFunction(called), names, depth + 1);
}

/** @param {Node} node @param {Parameters<typeof visit>[1]} names @param {number} depth */
function visitFields(node, names, depth) {
  for (const field of Object.values(node)) visit(field, names, depth + 1);
}

/** @param {Node} node */
function checkFunction(node) {
  const name = nameOf(node);
  if (!SCALAR_FUNCTIONS.has(name)) throw new Refusal(unavailable(name));
  if (node.export_state) throw new Refusal('sql: EXPORT_STATE is not available.');
  if (TYPED_BY_TEXT.has(name)) checkStructure(name, node.children);
}

/** @param {unknown} called @returns {Node} */
function checkTableFunction(called) {
  const node = /** @type {Node} */ (called ?? {});
  if (node.class !== 'FUNCTION' || !isKnownForm(node)) throw new Refusal(unknownForm(node));
  const name = nameOf(node);
  if (!TABLE_FUNCTIONS.has(name))
    throw new Refusal(
      `sql: the function ${shown(name)} is not available in FROM. Possible are ${[...TABLE_FUNCTIONS].join(', ')} and your tables; give files as files.`,
    );
  return node;
}

/**
 * DuckDB reads a structure as types, so its words have to be types.
 * @param {string} name
 * @param {unknown} children
 */
function checkStructure(name, children) {
  const last = Array.isArray(children) ? children.at(-1) : undefined;
  const text = last?.class === 'CONSTANT' ? last.value?.value : undefined;
  if (typeof text !== 'string')
    throw new Refusal(
      `sql: the last argument of ${name} must be a structure as text, such as '{"a":"INTEGER"}'.`,
    );
  for (const leaf of leavesOf(name, text))
    for (const word of leaf.toLowerCase().match(/[^\s(),[\]0-9][^\s(),[\]]*/g) ?? [])
      if (!TYPES.has(word)) throw new Refusal(unavailableType(word));
}

/**
 * The texts of a JSON that are not keys. From the text: of two equal keys a parser keeps only one.
 * @param {string} name
 * @param {string} text
 */
function leavesOf(name, text) {
  try {
    JSON.parse(text);
  } catch {
    throw new Refusal(`sql: the structure of ${name} is not JSON. Write it such as '{"a":"INTEGER"}'.`);
  }
  const strings = text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)/g);
  // raises nothing: a string of a text that is JSON
  return [...strings].flatMap(([, string = '', colon]) => (colon ? [] : [String(JSON.parse(string))]));
}

/** @param {Node} node @param {Parameters<typeof visit>[1]} names */
function checkTable({ table_name: given, schema_name: schema, catalog_name: catalog }, { own, queries }) {
  const name = String(given).toLowerCase();
  const isOwn = OWN_SCHEMAS.has(String(schema).toLowerCase()) && /^(memory)?$/i.test(String(catalog));
  if (isOwn && own.has(name)) return;
  if (schema === '' && catalog === '' && queries.has(name)) return;
  const full = [catalog, schema, given].filter((part) => part !== '').join('.');
  throw new Refusal(`sql: there is no table ${shown(full)}. The tables are ${[...own].join(', ')}.`);
}

/** What DESCRIBE and SUMMARIZE describe is visited like any other table. @param {Node} node */
function checkShow({
  query,
  show_type: type,
  table_name: table,
  schema_name: schema,
  catalog_name: catalog,
}) {
  if (query !== null && (type === 'DESCRIBE' || type === 'SUMMARY')) return;
  if (query === null && type === 'SHOW_UNQUALIFIED' && `${catalog}${schema}${table}` === '"tables"') return;
  throw new Refusal('sql: of SHOW only SHOW TABLES is possible; DESCRIBE and SUMMARIZE describe a table.');
}

/** @param {Node} node */
function checkType({ name, schema, catalog }) {
  if (schema !== '' || catalog !== '' || !TYPES.has(String(name).toLowerCase()))
    throw new Refusal(unavailableType(name));
}

/** @param {Node} node */
function nameOf({ function_name: name }) {
  return String(name).toLowerCase();
}

/** @param {string} name */
function unavailable(name) {
  return `sql: the function ${shown(name)} is not available. Possible are DuckDB's functions for numbers, text, patterns, dates, lists, structs, maps and JSON, its aggregates and its windows.`;
}

/** @param {unknown} name */
function unavailableType(name) {
  return `sql: the type ${shown(String(name))} is not available. Cast to a type for numbers, text, dates, lists, structs, maps or JSON.`;
}

/** @param {Node} node */
function unknownForm(node) {
  if (node.class === 'PARAMETER')
    return 'sql: has a parameter, and there are no values for it. Write the value.';
  const name = String(node.class ?? node.type ?? Object.keys(node)[0]);
  return `sql: a part of it is not available (${shown(name.replaceAll('_', ' '))}). Write it in another way.`;
}

/** @param {string} name */
function shown(name) {
  return `\`${name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name}\``;
}
