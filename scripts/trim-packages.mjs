// Runs after `npm ci`: removes the source maps of packages, a fifth of their size, which only a
// debugger of these packages reads (docs/decisions/0083-install-what-runs.md).
import { lstatSync, readdirSync, rmSync } from 'node:fs';
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
