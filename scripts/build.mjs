// `npm run build`, also called by `npm start`: builds unless a build of exactly these sources
// exists.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, '.next/gateway-build.json');

/** The sources of the build. Tests, docs and scripts are not part of it. */
const SOURCE_FOLDERS = ['app', 'components', 'server', 'db', 'fakes', 'public'];
const SOURCE_FILES = [
  'instrumentation.ts',
  'proxy.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];
const NOT_BUILT = /\.test\.tsx?$|\/testing\//;
/** Text files for the browser, compressed once at build time with maximum effort. */
const COMPRESSED = /\.(js|css|svg|json|txt)$/;
const LEAST_BYTES = 512;
const GZIP_LEVEL = 9;
/** Makes V8 compile the file on its loader thread instead of function by function when called. */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/**
 * @returns {string} a hash of all contents, because a checkout or copy changes the times of files
 */
function hashSources() {
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  for (const folder of SOURCE_FOLDERS.filter((name) => existsSync(join(root, name)))) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .filter((path) => !NOT_BUILT.test(path));
    for (const path of paths.sort()) add(path);
  }
  for (const path of SOURCE_FILES.filter((name) => existsSync(join(root, name)))) add(path);
  return hash.digest('hex');
}

/** @returns {boolean} whether `.next` has a complete build of the current sources */
export function isBuilt() {
  if (!existsSync(join(root, '.next/BUILD_ID')) || !existsSync(stampFile)) return false;
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).sources === hashSources();
  } catch {
    return false;
  }
}

/**
 * Builds the gateway, with local settings: neither the operator's settings nor production checks
 * apply.
 * @returns {Promise<number>} the exit code of `next build`
 */
export async function build() {
  // Hashed before the build, so that files edited during it cause another build.
  const sources = hashSources();
  const next = join(root, 'node_modules/next/dist/bin/next');
  /** @type {Record<string, string | undefined>} */
  const env = {
    ...process.env,
    GATEWAY_ENV: 'local',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
  };
  // `next build` sets production itself, and warns about any other value.
  delete env.NODE_ENV;
  // Without this folder Next warns in CI, though the first build of a clone has no cache.
  mkdirSync(join(root, '.next/cache'), { recursive: true });
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: root,
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    // Through a pipe, Next prints lines without a spinner, which a log of CI could not show.
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  printProgress(child.stdout);
  const forward = () => child.kill('SIGTERM');
  process.once('SIGTERM', forward);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(signal ? 130 : (exitCode ?? 1)));
  });
  process.off('SIGTERM', forward);
  if (code === 0) hintFramework();
  if (code === 0) await compressStatic();
  if (code === 0) writeFileSync(stampFile, `${JSON.stringify({ sources })}\n`);
  return code;
}

/** Next lists the experiments of next.config.ts, each after a sign that looks like a failure. */
const EXPERIMENT = /^- Experiments|^\s+[·✓⨯] /u;

/**
 * Prints the lines of `next build` up to its list of routes, which is longer than a terminal.
 * @param {import('node:stream').Readable} output
 */
function printProgress(output) {
  let isList = false;
  createInterface(output).on('line', (line) => {
    isList ||= line.startsWith('Route (');
    if (!isList && !EXPERIMENT.test(line)) console.log(line.trimEnd());
  });
}

/**
 * Adds the compile hint to React's and Next's scripts, which every page runs first. Without it, the
 * main thread compiles them in one task (docs/decisions/0065-compile-the-framework-early.md).
 */
function hintFramework() {
  const manifest = JSON.parse(readFileSync(join(root, '.next/build-manifest.json'), 'utf8'));
  /** @type {string[]} */
  const files = manifest.rootMainFiles;
  if (files.length === 0) throw new Error('The build manifest lists no scripts that every page loads.');
  for (const file of files) {
    const path = join(root, '.next', file);
    const code = readFileSync(path, 'utf8');
    // `next build` does not write files again that it finds unchanged.
    if (!code.startsWith(COMPILE_HINT)) writeFileSync(path, COMPILE_HINT + code);
  }
}

/**
 * Writes a Brotli and a gzip copy of each browser file, served by server/api/http/static-files.ts.
 */
async function compressStatic() {
  const folder = join(root, '.next/static');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSED.test(entry.name));
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
}

/** @param {string} path */
async function compressFile(path) {
  const bytes = readFileSync(path);
  if (bytes.byteLength < LEAST_BYTES) return;
  const params = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  ]);
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipped);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(await build());
