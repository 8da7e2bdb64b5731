import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Without scripts of packages, and without a warning about an engine: they are known to run. */
const FLAGS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const LIMIT_MS = 600_000;
const CACHE = fileURLToPath(new URL('../../.cache/packages/', import.meta.url));

/**
 * Installs packages with the hashes of their own lock file, once: a complete folder is reused.
 * @param {string} source the folder of package.json and package-lock.json
 * @param {string} target the folder that gets node_modules
 * @throws {Error} with npm's message
 */
export function installLocked(source, target) {
  if (existsSync(target)) return;
  const staging = `${target}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(source, file), join(staging, file));
  const { status, error, stderr } = spawnSync('npm', [...FLAGS, '--prefix', staging], {
    cwd: staging,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  if (status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    throw new Error(`npm could not install the packages of ${source}: ${error?.message ?? stderr.trim()}`);
  }
  try {
    renameSync(staging, target);
  } catch (failure) {
    rmSync(staging, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(target)) throw failure;
  }
}

/**
 * Installs packages into `.cache`, unless they are there, and removes earlier versions of them.
 * @param {string} source the folder of package.json and package-lock.json
 * @returns {string} the folder with node_modules
 * @throws {Error} with npm's message
 */
export function installCached(source) {
  const target = locateCached(source);
  mkdirSync(CACHE, { recursive: true });
  installLocked(source, target);
  for (const name of readdirSync(CACHE))
    if (name.startsWith(`${basename(source)}-`) && !name.startsWith(basename(target)))
      rmSync(join(CACHE, name), { recursive: true, force: true });
  return target;
}

/** @param {string} source @returns {string} where `installCached` puts its packages */
export function locateCached(source) {
  const lock = readFileSync(join(source, 'package-lock.json'));
  return join(CACHE, `${basename(source)}-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
}
