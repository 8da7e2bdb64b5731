import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

const PROGRAMS = ['launch', 'admin/admin', 'worker/worker'].map((name) => `server/main/${name}.ts`);
/** Modules that are started or imported by their path, such as workers. */
const BY_PATH = /'(?:\.{1,2}\/)?(server\/[\w/-]+\.mjs)'/g;
const TEST_CODE = /\.test\.|\.fixture\.|\/testing\/|\/conformance\//;
/** CommonJS inside an ES module requires Node's modules by this name. */
const BANNER =
  "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);";

/**
 * Compiles the server into a folder: each program and each worker at the path of its source, with
 * its libraries, except for those in `kept`.
 * @param {{ root: string, scripts: readonly string[], to: string, kept: readonly string[] }} where
 * @returns {Promise<void>}
 */
export async function bundleServer({ root, scripts, to, kept }) {
  await build({
    absWorkingDir: root,
    entryPoints: [...PROGRAMS, ...findByPath(root, scripts)],
    outdir: to,
    outbase: root,
    chunkNames: 'server/chunks/[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: BANNER },
    legalComments: 'none',
    // Names of functions and classes are part of messages and of checks across bundles.
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    logLevel: 'error',
    plugins: [keepPackages(kept)],
  });
}

/** @param {string} root @param {readonly string[]} scripts that import files of the server */
function findByPath(root, scripts) {
  const sources = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `server/${path}`)
    .filter((path) => /\.(ts|mjs)$/.test(path) && !TEST_CODE.test(path));
  const texts = [...sources, ...scripts].map((path) => readFileSync(join(root, path), 'utf8'));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(BY_PATH)].map(([, path]) => String(path))))];
}

/**
 * @param {readonly string[]} kept
 * @returns {import('esbuild').Plugin}
 */
function keepPackages(kept) {
  return {
    name: 'keep-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('@/')) return null;
        const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/');
        return kept.includes(name) || builtinModules.includes(path) ? { path, external: true } : null;
      });
    },
  };
}
