// Packages of single commands, such as linters: `npm ci` leaves them out, and the first command
// that needs a group installs it (docs/decisions/0083-install-what-runs.md). Runs a program of one:
// `node scripts/on-demand.mjs lint biome check --write FOLDER`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installCached } from '../server/kit/install-locked.mjs';

const groups = fileURLToPath(new URL('packages/', import.meta.url));

/**
 * Installs a group into `.cache`, unless it is there.
 * @param {string} group a folder of scripts/packages
 * @returns {string} its node_modules, with a slash at the end
 */
export function installOnDemand(group) {
  return `${installCached(join(groups, group))}/node_modules/`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [group = '', program = '', ...args] = process.argv.slice(2);
  const command = [`${installOnDemand(group)}.bin/${program}`, ...args];
  process.exit(spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1);
}
