import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the build copies into files for browsers. */
const BUNDLED_FOLDERS = ['app', 'components'];
const BUNDLED_FILE = /(?<!\.test)\.(tsx?|css)$/;
const IMPORTED = /(?:from|import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+)/g;

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {string} [license]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */
/** @typedef {{ path: string, name: string, version: string, license: string }} Shipped */

/**
 * Lists the packages whose code the product contains: production packages, and those that the build
 * bundles for browsers.
 * @returns {Shipped[]} by name and version
 */
export function listShipped() {
  /** @type {Record<string, Locked>} */
  const packages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const { dependencies, devDependencies, workspaces } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const bundled = readImported().filter((name) => name in devDependencies);
  const direct = [...Object.keys(dependencies), ...bundled].map((name) => `node_modules/${name}`);
  return [...withDependencies(packages, [...direct, ...workspaces], fitsLinux)]
    .filter((path) => path.startsWith('node_modules/'))
    .map((path) => ({ path, name: toName(path), version: '', license: '', ...packages[path] }))
    .map(({ path, name, version, license }) => ({ path, name, version, license }))
    .sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
}

/** @param {string} path */
function toName(path) {
  return path.replace(/.*node_modules\//, '');
}

/** @param {Shipped} shipped */
function toKey({ name, version, path }) {
  return `${name} ${version} ${path}`;
}

/**
 * Binaries of other platforms have the licence of the package that chooses among them.
 * @param {Locked} locked
 */
export function fitsLinux({ optional, os, cpu, libc }) {
  const fits = (/** @type {string[] | undefined} */ list, /** @type {string} */ ours) =>
    list === undefined || list.includes(ours);
  return !optional || (fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'));
}

/** @returns {string[]} the names that the pages and components import */
function readImported() {
  /** @type {Set<string>} */
  const names = new Set();
  for (const folder of BUNDLED_FOLDERS)
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && BUNDLED_FILE.test(entry.name))
        for (const [, name] of readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(IMPORTED))
          if (name) names.add(name);
  return [...names];
}

/**
 * @param {Record<string, Locked>} packages
 * @param {string[]} queue of paths
 * @param {(locked: Locked, path: string) => boolean} isWanted
 * @returns {Set<string>} these paths and those of all that they depend on
 */
export function withDependencies(packages, queue, isWanted) {
  /** @type {Set<string>} */
  const paths = new Set();
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const locked = packages[path];
    if (!locked || paths.has(path) || !isWanted(locked, path)) continue;
    paths.add(path);
    for (const name of listNeeded(locked)) {
      const found = resolveFrom(packages, path, name);
      if (found) queue.push(found);
    }
  }
  return paths;
}

/** @param {Locked} locked @returns {string[]} what npm installs with it */
function listNeeded({
  dependencies,
  optionalDependencies,
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * @param {Record<string, Locked>} packages
 * @param {string} from
 * @param {string} name
 */
function resolveFrom(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const path = `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (!folder.includes('/node_modules/')) break;
  }
  return packages[`node_modules/${name}`] ? `node_modules/${name}` : null;
}
