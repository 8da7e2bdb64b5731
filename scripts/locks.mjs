// `npm run check` (locks): `npm ci` accepts every lock file, today and later. `npm ls` refuses one
// that differs from its package.json, and a range such as "latest", which the registry moves.
import { execFile, execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const LIST = ['ls', '--package-lock-only', '--all', '--offline', '--loglevel=error'];
const MAX_BYTES = 64 * 1024 * 1024;

const locks = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' });
await Promise.all(locks.trim().split('\n').map(dirname).map(checkLock));

/** @param {string} folder */
async function checkLock(folder) {
  try {
    await run('npm', LIST, { cwd: join(root, folder), maxBuffer: MAX_BYTES });
  } catch (error) {
    console.error(`${folder}/package-lock.json: run \`npm install --package-lock-only\` in its folder,`);
    console.error('with an "overrides" entry for a package that another one asks for by a tag.');
    console.error(error instanceof Error && 'stderr' in error ? error.stderr : error);
    process.exitCode = 1;
  }
}
