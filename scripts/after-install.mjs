// Runs after `npm ci`: removes the source maps of packages, a fifth of their size, which only a
// debugger of these packages reads, and the TypeScript behind them, which Node refuses to run; then
// fetches the browser where `screenshot` and the tests will need it (docs/decisions/0081, 0083).
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Source maps, and TypeScript that is not a declaration. */
const NOT_LOADED = /\.map$|(?<!\.d(?:\.\w+)?)\.[cm]?tsx?$/;

/** @param {string} folder */
function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links lead to the workspaces.
    if (entry.isDirectory()) trim(path);
    else if (entry.isFile() && NOT_LOADED.test(entry.name)) rmSync(path);
  }
}

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));
if (lstatSync(packages, { throwIfNoEntry: false })?.isDirectory()) trim(packages);

// An image copies only the list of packages before it installs them, and may bring its own browser.
const installer = new URL('../server/kit/install-locked.mjs', import.meta.url);
const isSupported = process.platform === 'linux' && process.arch === 'x64';
if (isSupported && !process.env.CHROMIUM_PATH && existsSync(installer)) {
  const { installCached } = await import(installer.href);
  try {
    installCached(fileURLToPath(new URL('../server/platform/ports/chromium', import.meta.url)));
  } catch {
    console.log('The browser could not be fetched. The first page that is drawn tries again.');
  }
}
