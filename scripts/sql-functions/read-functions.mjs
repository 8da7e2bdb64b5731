// Reads the definitions of SQL functions from migrations and from db/functions.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEFINITION =
  /CREATE (?:OR REPLACE )?FUNCTION (\w+)\s*\((?:--.*|[^;$])*?(?:\$\$[\s\S]*?\$\$[^;$]*?(?=;|-->|$(?![\s\S]))|(?=;))|DROP FUNCTION (?:IF EXISTS )?(\w+)/g;

/**
 * @param {string} text SQL
 * @returns {{ name: string, statement: string | null }[]} in their order; null: dropped
 */
export function readDefinitions(text) {
  return [...text.matchAll(DEFINITION)].map(([statement, name, dropped]) =>
    dropped === undefined
      ? {
          name: name ?? '',
          statement: statement.replace(/^CREATE FUNCTION/, 'CREATE OR REPLACE FUNCTION').trim(),
        }
      : { name: dropped, statement: null },
  );
}

/**
 * @param {string} folder of the migrations
 * @param {string[]} tags in their order
 * @returns {Map<string, { tag: string, statement: string }>} the last definition of each function
 */
export function readMigrated(folder, tags) {
  const current = new Map();
  for (const tag of tags)
    for (const { name, statement } of readDefinitions(readFileSync(join(folder, `${tag}.sql`), 'utf8')))
      if (statement === null) current.delete(name);
      else current.set(name, { tag, statement });
  return current;
}

/**
 * @param {string} folder db/functions
 * @returns {Map<string, { text: string, statement: string }>} by function; the text has its comment
 * @throws Error where a file does not define exactly the function it is named after
 */
export function readSources(folder) {
  const sources = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const text = readFileSync(join(folder, file), 'utf8').trim();
    const [first, ...more] = readDefinitions(text);
    if (!first?.statement || more.length > 0 || `${first.name}.sql` !== file)
      throw new Error(`db/functions/${file} must define one function, ${file.replace('.sql', '')}`);
    sources.set(first.name, { text, statement: first.statement });
  }
  return sources;
}

/**
 * @param {ReturnType<typeof readSources>} sources
 * @param {ReturnType<typeof readMigrated>} migrated
 * @returns {string[]} functions whose newest definition in a migration is not their source
 */
export function findStale(sources, migrated) {
  return [...sources.keys()].filter((name) => migrated.get(name)?.statement !== sources.get(name)?.statement);
}

/**
 * @param {readonly string[]} names
 * @param {ReturnType<typeof readSources>} sources
 * @returns {string[]} the names, each after those it calls: PostgreSQL checks the bodies of SQL
 *   functions when they are created
 */
export function sortByCalls(names, sources) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {string[]} */
  const sorted = [];
  /** @param {string} name */
  const add = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const { statement = '' } = sources.get(name) ?? {};
    for (const other of names) if (statement.includes(`${other}(`)) add(other);
    sorted.push(name);
  };
  for (const name of names) add(name);
  return sorted;
}
