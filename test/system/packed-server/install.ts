// Packs the server and installs the tarball into an empty folder, as a person without a clone does.
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../fixtures/processes';

const PROGRAM = 'node_modules/tool-gateway-server';
/** After all real migrations. */
const LATER_MS = 4_102_444_800_000;

export interface Size {
  packages: number;
  mib: number;
}

/** @returns the path of the tarball */
export function packServer(folder: string): string {
  const output = execFileSync(process.execPath, ['scripts/pack-server.mjs', folder], { cwd: root });
  return String(output).trim().split('\n').at(-1) ?? '';
}

/** Installs the tarball into a new folder with npm, from the registry. */
export function installServer(tarball: string, folder: string): void {
  mkdirSync(folder);
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Counts what `du` and people count: blocks on disk, and folders with a package in them. */
export function measure(folder: string): Size {
  let [packages, blocks] = [0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    blocks += lstatSync(path).blocks;
    if (/node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path)) packages++;
  }
  return { packages, mib: (blocks * 512) / 1024 ** 2 };
}

/**
 * Makes a copy of an installation that is two releases later: it has another migration, and the
 * release before it was not this one either.
 */
export function copyAsLaterRelease(folder: string, to: string): void {
  cpSync(folder, to, { recursive: true, verbatimSymlinks: true });
  const program = join(to, PROGRAM);
  setVersion(join(program, 'package.json'), '99.0.0');
  setVersion(join(program, 'db/released.json'), '98.0.0');
  writeFileSync(
    join(program, 'db/migrations/9000_later.sql'),
    'CREATE TABLE "later" ("id" text PRIMARY KEY);',
  );
  edit(join(program, 'db/migrations/meta/_journal.json'), (text) => {
    const journal = JSON.parse(text);
    journal.entries.push({ ...journal.entries.at(-1), idx: 9000, when: LATER_MS, tag: '9000_later' });
    return JSON.stringify(journal);
  });
}

function setVersion(path: string, version: string): void {
  edit(path, (text) => text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
