// Unpacks the browser of @sparticuz/chromium into a folder: `node unpack-chromium.mjs <folder>`.
// Its own process, because 200 MB are decompressed and the package writes to the temporary folder.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
/** Unpacking takes less. */
const ABANDONED_MS = 10 * 60_000;

const folder = process.argv[2] ?? '';
const staging = `${folder}.${process.pid}`;
await mkdir(staging, { recursive: true });
process.env.TMPDIR = staging;
const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
await Promise.all(ARCHIVES.map((name) => inflate(join(packed, name))));
await writeFile(join(staging, 'gateway-fonts.conf'), describeFonts());
try {
  await rename(staging, folder);
} catch (error) {
  await rm(staging, { recursive: true, force: true });
  // Another process was faster.
  if (!existsSync(folder)) throw error;
}
await removeOthers();

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
