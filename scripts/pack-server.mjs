// `npm run pack:server [-- FOLDER]`: writes tool-gateway-server-<version>.tgz, which npm installs
// and starts without a clone (docs/decisions/0085-a-package-of-the-server.md).
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';
import { bundleServer } from './pack-server/bundle.mjs';
import { copyPackages, describePackage, KEPT } from './pack-server/packages.mjs';
import { copyPages } from './pack-server/pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SCRIPTS = ['supervise', 'import-main', 'worker', 'admin', 'tool-gateway-server'].map(
  (name) => `scripts/${name}.mjs`,
);
const FILES = [
  'serve.mjs',
  ...SCRIPTS,
  'db/functions',
  'db/migrations',
  'db/released.json',
  'docs',
  'server/assets/samples',
  'server/platform/ports/chromium',
  'openapi.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES.txt',
];
/** Of no use to an installed server. */
const LEFT_OUT = /\/docs\/(decisions|images|openapi)(\/|$)|\/db\/migrations\/meta\/\d+_snapshot\.json$/;

const target = resolve(process.argv[2] ?? root);
if (!isBuilt() && (await build()) !== 0) process.exit(1);
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'pack-'));
try {
  console.log(await packInto(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} folder an empty one @returns {Promise<string>} the path of the tarball */
async function packInto(folder) {
  const to = join(folder, 'package');
  const filter = (/** @type {string} */ path) => !LEFT_OUT.test(path);
  for (const file of FILES) cpSync(join(root, file), join(to, file), { recursive: true, filter });
  copyPages(root, to, KEPT);
  await bundleServer({ root, scripts: SCRIPTS, to, kept: KEPT });
  const { manifest, bundled } = describePackage(root);
  copyPackages(root, bundled, to);
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const file = join(target, `${manifest.name}-${manifest.version}.tgz`);
  execFileSync('tar', ['-czf', file, '-C', folder, 'package']);
  return file;
}
