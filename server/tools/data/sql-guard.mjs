// Checks the syntax tree of a caller's SQL before DuckDB plans it. Planning already calls
// functions, and some read memory by address or run statements (docs/decisions/0037).
import { Refusal } from '../../kit/worker-refusal.mjs';
import { getMessage } from './duckdb.mjs';
import { isKnownForm, isKnownTypeId } from './sql-forms.mjs';
import { SCALAR_FUNCTIONS, TABLE_FUNCTIONS, TYPES } from './sql-functions.mjs';

/** @typedef {import('./duckdb.mjs').Connection} Connection */
/** @typedef {Record<string, unknown>} Node an object of the syntax tree */

const MAX_DEPTH = 1_500;
/** Schema names that refer to the in-memory database of withLockedDatabase. */
const OWN_SCHEMAS = new Set(['', 'main', 'memory']);
/** Functions whose last argument names types in a text. */
const TYPED_BY_TEXT = new Set(['from_json', 'from_json_strict', 'json_transform', 'json_transform_strict']);
const SERIALIZED = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE']);
const MAX_SHOWN_NAME = 60;
/** DuckDB's own views, which a table name without a schema can resolve to. */
const SYSTEM_VIEWS =
  "SELECT lower(view_name) FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'";

/** @type {ReadonlySet<string> | undefined} */
let systemViews;

/**
 * Refuses SQL other than a single SELECT of allowed syntax, functions, types and tables.
 * @param {Connection} connection to a locked database without tables, which parses the statement
 * @param {string} sql
 * @param {readonly string[]} tables the caller's own
 * @throws {Refusal}
 */
export async function admitSql(connection, sql, tables) {
  // C strings end at U+0000, so two parsers could read different statements.
  if (sql.includes('\0')) throw new Refusal('sql: contains the character U+0000. Remove it.');
  systemViews ??= await readNames(connection, SYSTEM_VIEWS);
  checkStatement(await parse(connection, sql), { tables, views: systemViews });
}

/** @param {Connection} connection @param {string} query */
async function readNames(connection, query) {
  const found = await connection.runAndReadAll(query);
  return new Set(found.getRows().map(([name]) => String(name)));
}

/** @param {Connection} connection @param {string} sql */
async function parse(connection, sql) {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($sql::VARCHAR)', { sql });
  const parsed = readTree(String(reader.getRows()[0]?.[0]));
  if (parsed.error) throw await toRefusal(connection, sql, parsed);
  if (parsed.statements.length !== 1)
    throw new Refusal(`sql: contains ${parsed.statements.length} statements. Send exactly one SELECT.`);
  const [{ node }] = parsed.statements;
  if (!SERIALIZED.has(node?.type)) throw new Refusal(ONLY_SELECT);
  return /** @type {Node} */ (parsed.statements[0]);
}

/** @param {string} text written by DuckDB; it may contain Infinity, which is not valid JSON */
function readTree(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('sql: a number is too large. Use a smaller one, or cast it from text.');
  }
}

const ONLY_SELECT =
  'sql: only one SELECT is supported (including WITH, FROM, VALUES, DESCRIBE and SUMMARIZE).';

/** @param {Connection} connection @param {string} sql @param {Record<string, string>} error */
async function toRefusal(connection, sql, { error_type: type, error_message: message }) {
  if (type !== 'parser') {
    if (/\bpivot\b/i.test(sql))
      return new Refusal("sql: PIVOT needs explicit values: PIVOT t1 ON column IN ('a', 'b') USING sum(n).");
    return new Refusal(ONLY_SELECT);
  }
  // Parses again to get the line number; parsing failed before, so no statement can run.
  const words = await connection.extractStatements(sql).then(() => `Parser Error: ${message}`, getMessage);
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
    // Outside its scope, such a name would resolve to a DuckDB view or to a file.
    if (views.has(name) || /[./\\:*?[]/.test(name))
      throw new Refusal(`sql: the name ${shown(name)} is not allowed for a WITH query. Choose another name.`);
    queries.add(name);
  }
  visit(statement, { own, queries }, 0);
}

/**
 * Yields the names that WITH defines, in lower case.
 * @param {unknown} value
 * @returns {Generator<string>}
 */
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
 * Walks the whole tree and refuses everything that is not allowed.
 * @param {unknown} value
 * @param {{ own: ReadonlySet<string>, queries: ReadonlySet<unknown> }} names
 * @param {number} depth
 */
function visit(value, names, depth) {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw new Refusal('sql: the query is nested too deeply. Use WITH, or simplify it.');
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
  const name = getFunctionName(node);
  if (!SCALAR_FUNCTIONS.has(name)) throw new Refusal(unavailable(name));
  if (node.export_state) throw new Refusal('sql: EXPORT_STATE is not available.');
  if (TYPED_BY_TEXT.has(name)) checkStructure(name, node.children);
}

/** @param {unknown} called @returns {Node} */
function checkTableFunction(called) {
  const node = /** @type {Node} */ (called ?? {});
  if (node.class !== 'FUNCTION' || !isKnownForm(node)) throw new Refusal(unknownForm(node));
  const name = getFunctionName(node);
  if (!TABLE_FUNCTIONS.has(name))
    throw new Refusal(
      `sql: the function ${shown(name)} is not available in FROM. Use ${[...TABLE_FUNCTIONS].join(', ')} or one of your tables; pass files in the field files.`,
    );
  return node;
}

/**
 * Checks that every word of a structure is an allowed type, because DuckDB parses it as types.
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
  for (const leaf of listLeaves(name, text))
    for (const word of leaf.toLowerCase().match(/[^\s(),[\]0-9][^\s(),[\]]*/g) ?? [])
      if (!TYPES.has(word)) throw new Refusal(unavailableType(word));
}

/**
 * Returns the strings of a JSON text that are not keys. Reads the text itself, because a parser
 * keeps only one of two equal keys.
 * @param {string} name
 * @param {string} text
 */
function listLeaves(name, text) {
  try {
    JSON.parse(text);
  } catch {
    throw new Refusal(`sql: the structure of ${name} is not valid JSON. Write it like '{"a":"INTEGER"}'.`);
  }
  const strings = text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)/g);
  // Cannot throw: the string comes from a text that is valid JSON
  return [...strings].flatMap(([, string = '', colon]) => (colon ? [] : [String(JSON.parse(string))]));
}

/** @param {Node} node @param {Parameters<typeof visit>[1]} names */
function checkTable({ table_name: given, schema_name: schema, catalog_name: catalog }, { own, queries }) {
  const name = String(given).toLowerCase();
  const isOwn = OWN_SCHEMAS.has(String(schema).toLowerCase()) && /^(memory)?$/i.test(String(catalog));
  if (isOwn && own.has(name)) return;
  if (schema === '' && catalog === '' && queries.has(name)) return;
  const full = [catalog, schema, given].filter((part) => part !== '').join('.');
  throw new Refusal(`sql: unknown table ${shown(full)}. The tables are ${[...own].join(', ')}.`);
}

/** The query that DESCRIBE or SUMMARIZE describes is visited like any other. @param {Node} node */
function checkShow({
  query,
  show_type: type,
  table_name: table,
  schema_name: schema,
  catalog_name: catalog,
}) {
  if (query !== null && (type === 'DESCRIBE' || type === 'SUMMARY')) return;
  if (query === null && type === 'SHOW_UNQUALIFIED' && `${catalog}${schema}${table}` === '"tables"') return;
  throw new Refusal(
    'sql: the only SHOW statement available is SHOW TABLES. Use DESCRIBE or SUMMARIZE for a table.',
  );
}

/** @param {Node} node */
function checkType({ name, schema, catalog }) {
  if (schema !== '' || catalog !== '' || !TYPES.has(String(name).toLowerCase()))
    throw new Refusal(unavailableType(name));
}

/** @param {Node} node */
function getFunctionName({ function_name: name }) {
  return String(name).toLowerCase();
}

/** @param {string} name */
function unavailable(name) {
  return `sql: the function ${shown(name)} is not available. Use DuckDB's functions for numbers, text, patterns, dates, lists, structs, maps and JSON, its aggregates or its window functions.`;
}

/** @param {unknown} name */
function unavailableType(name) {
  return `sql: the type ${shown(String(name))} is not available. Cast to a type for numbers, text, dates, lists, structs, maps or JSON.`;
}

/** @param {Node} node */
function unknownForm(node) {
  if (node.class === 'PARAMETER') return 'sql: parameters are not supported. Write the value instead.';
  const name = String(node.class ?? node.type ?? Object.keys(node)[0]);
  return `sql: this syntax is not available: ${shown(name.replaceAll('_', ' '))}. Rewrite the query without it.`;
}

/** @param {string} name */
function shown(name) {
  return `\`${name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name}\``;
}
