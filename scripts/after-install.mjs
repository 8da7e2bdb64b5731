// Runs after `npm ci`: removes the source maps of packages, a fifth of their size, which only a
// debugger of these packages reads, and fetches the browser where `screenshot` and the tests will
// need it (docs/decisions/0081, 0083).
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param {string} folder */
function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links lead to the workspaces.
    if (entry.isDirectory()) trim(path);
    else if (entry.name.endsWith('.map') && entry.isFile()) rmSync(path);
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
