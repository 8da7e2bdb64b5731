// Installs the browser of @sparticuz/chromium in a folder: `node unpack-chromium.mjs <folder>`. Its
// own process, because 200 MB are decompressed and the package writes to the temporary folder.
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installLocked, locateCached } from '../../kit/install-locked.mjs';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
/** Unpacking takes less. */
const ABANDONED_MS = 10 * 60_000;

const folder = process.argv[2] ?? '';
const staging = `${folder}.${process.pid}`;
await mkdir(staging, { recursive: true });
process.env.TMPDIR = staging;
if (!isWritable(homedir())) process.env.npm_config_cache = join(staging, 'npm-cache');
try {
  await unpack();
  await rename(staging, folder);
} catch (error) {
  await rm(staging, { recursive: true, force: true });
  // Another process was faster.
  if (!existsSync(folder)) throw error;
}
await removeOthers();

async function unpack() {
  const source = fileURLToPath(new URL('chromium', import.meta.url));
  const cached = locateCached(source);
  const packages = existsSync(cached) ? cached : join(staging, 'packages');
  installLocked(source, packages);
  const chromium = join(packages, 'node_modules/@sparticuz/chromium');
  const { inflate } = await import(pathToFileURL(join(chromium, 'build/index.js')).href);
  await Promise.all(ARCHIVES.map((name) => inflate(join(chromium, 'bin', name))));
  await writeFile(join(staging, 'gateway-fonts.conf'), describeFonts());
  for (const name of ['packages', 'npm-cache'])
    await rm(join(staging, name), { recursive: true, force: true });
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package's own settings name folders of Amazon Linux only, so no text would be drawn. */
function describeFonts() {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}

/** Removes earlier versions, and what killed processes left. */
async function removeOthers() {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith('chromium-') || name === basename(folder)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
