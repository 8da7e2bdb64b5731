// What the check of the path of a call compares: the table of docs/architecture.md, the imports of
// its files, and the SQL functions that admit and end calls.
import { listImports } from '../room-cycles/find-cycles.mjs';

const CHAPTER = /^## The path of a call$([\s\S]*?)(?=^## )/m;
const FILE = /`([\w./-]+\.(?:ts|sql))`/g;
/** What writes rows of `calls`, or calls what does. */
const WRITES = /\b(?:INSERT INTO|DELETE FROM) calls\b|\b(?:admit|end|record)_calls\(/i;
const PARAMETER = /\bp_\w+/g;

/**
 * @param {string} markdown docs/architecture.md
 * @returns {string[]} the files of the table, in its order. A bare name is in the folder of the
 *   file before it.
 */
export function readPath(markdown) {
  const table = (CHAPTER.exec(markdown)?.[1] ?? '').split('\n').filter((line) => line.startsWith('|'));
  /** @type {string[]} */
  const path = [];
  for (const [, name = ''] of table.join('\n').matchAll(FILE)) {
    const folder = path.at(-1)?.replace(/[^/]+$/, '') ?? '';
    if (!name.includes('/')) path.push(folder + name);
    else path.push(name.startsWith('db/') ? name : `server/${name}`);
  }
  return path;
}

/**
 * @param {readonly string[]} path
 * @param {Map<string, string>} sources text by path
 * @param {RegExp} wiring files that wire others together, which a reader need not open
 * @returns {string[]} problems of files that no file before them leads to
 */
export function findPathProblems(path, sources, wiring) {
  const wired = new Set();
  for (const file of sources.keys())
    if (wiring.test(file))
      for (const target of listImports(file, sources, { types: true })) wired.add(target);
  /** @type {string[]} */
  const problems = [];
  for (const [at, file] of path.entries()) {
    if (!sources.has(file)) problems.push(`${file} does not exist`);
    else if (at > 0 && !wired.has(file) && !isReached(file, path.slice(0, at), sources))
      problems.push(`no file before ${file} imports it`);
  }
  return problems;
}

/**
 * @param {string} file
 * @param {readonly string[]} earlier
 * @param {Map<string, string>} sources
 */
function isReached(file, earlier, sources) {
  if (!file.endsWith('.sql'))
    return earlier.some((other) => listImports(other, sources, { types: true }).includes(file));
  const call = `${file.replace(/^.*\/|\.sql$/g, '')}(`;
  return earlier.some((other) => sources.get(other)?.includes(call));
}

/**
 * @param {Map<string, string>} functions text by name
 * @param {{ names: readonly string[], maxParameters: number }} allowed exactly the functions that
 *   admit and end calls
 * @returns {string[]} problems
 */
export function findFunctionProblems(functions, { names, maxParameters }) {
  /** @type {string[]} */
  const problems = [];
  const missing = new Set(names);
  for (const [name, text] of functions) {
    const [head = '', body = ''] = text.replace(/--.*$/gm, '').split(/\bRETURNS\b/);
    if (!WRITES.test(body)) continue;
    if (!missing.delete(name))
      problems.push(`${name} admits or ends calls, which only ${names.join(', ')} do`);
    const count = new Set(head.match(PARAMETER)).size;
    if (count > maxParameters) problems.push(`${name} has ${count} parameters, at most ${maxParameters}`);
  }
  for (const name of missing) problems.push(`${name} neither admits nor ends calls`);
  return problems;
}
