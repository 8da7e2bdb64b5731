// Finds rooms that import each other. A room of server/ is `layer/room`, of components/ a folder.
import { dirname, join } from 'node:path';

const IMPORT = /^\s*(?:import|export)\s+([^'";]*?)\s*from\s+'([^']+)'/gm;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts'];

/**
 * @typedef {object} RoomImport
 * @property {string} from a room
 * @property {string} to another room
 * @property {string} file that imports
 */

/**
 * @param {Map<string, string>} sources text by path
 * @returns {RoomImport[]} imports of values from one room to another
 */
export function listRoomImports(sources) {
  /** @type {RoomImport[]} */
  const found = [];
  for (const file of sources.keys())
    for (const target of listImports(file, sources)) {
      const from = getRoom(file);
      const to = getRoom(target);
      if (from !== to) found.push({ from, to, file });
    }
  return found;
}

/**
 * @param {string} start
 * @param {Map<string, string>} sources text by path
 * @returns {string[]} the files whose values it imports, directly or through others, and itself
 */
export function listReached(start, sources) {
  const reached = new Set([start]);
  for (const file of reached) for (const target of listImports(file, sources)) reached.add(target);
  return [...reached];
}

/**
 * @param {string} file
 * @param {Map<string, string>} sources text by path
 * @param {{ types?: boolean }} [options] also files of which it imports only types
 * @returns {string[]} the files that it imports
 */
export function listImports(file, sources, { types = false } = {}) {
  const found = [];
  for (const [, names = '', specifier = ''] of (sources.get(file) ?? '').matchAll(IMPORT)) {
    const target = resolve(file, specifier, sources);
    if (target !== null && (types || !isTypesOnly(names))) found.push(target);
  }
  return found;
}

/**
 * @param {string} file
 * @param {string} specifier
 * @param {Map<string, string>} sources
 */
function resolve(file, specifier, sources) {
  if (!/^(\.|@\/)/.test(specifier)) return null;
  const path = specifier.startsWith('@/') ? specifier.slice(2) : join(dirname(file), specifier);
  const ending = ENDINGS.find((candidate) => sources.has(path + candidate));
  return ending === undefined ? null : path + ending;
}

/** @param {string} names between `import` and `from` */
function isTypesOnly(names) {
  if (/^type\b/.test(names)) return true;
  const list = /^\{([\s\S]*)\}$/
    .exec(names.trim())?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return list?.every((name) => /^\s*type\s/.test(name)) ?? false;
}

/** @param {string} file */
function getRoom(file) {
  const [top, first = '', second = '', ...rest] = file.split('/');
  return top === 'server' && rest.length > 0 ? `server/${first}/${second}` : `${top}/${first}`;
}

/**
 * @param {readonly RoomImport[]} imports
 * @returns {string[][]} groups of rooms in which each reaches each other
 */
export function findCycles(imports) {
  /** @type {Map<string, Set<string>>} */
  const targets = new Map();
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reached = new Map([...targets.keys()].map((room) => [room, reach(room, targets)]));
  const groups = [...reached].flatMap(([room, rooms]) =>
    rooms.has(room)
      ? [
          [...rooms]
            .filter((other) => reached.get(other)?.has(room))
            .sort()
            .join(' '),
        ]
      : [],
  );
  return [...new Set(groups)].map((group) => group.split(' '));
}

/**
 * @param {string} start
 * @param {Map<string, Set<string>>} targets
 */
function reach(start, targets) {
  /** @type {Set<string>} */
  const seen = new Set();
  const queue = [...(targets.get(start) ?? [])];
  for (let room = queue.pop(); room !== undefined; room = queue.pop()) {
    if (seen.has(room)) continue;
    seen.add(room);
    queue.push(...(targets.get(room) ?? []));
  }
  return seen;
}
