import { cpSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const NOT_SERVED = /\.map$|\.nft\.json$|^(build|cache|dev|diagnostics|node_modules|trace.*|types|turbopack)$/;

/**
 * Copies the built pages without what only a build or a debugger reads, and without the paths of
 * this machine.
 * @param {string} from the folder with `.next`
 * @param {string} to the same of the package
 * @param {readonly string[]} kept the packages that they may require
 */
export function copyPages(from, to, kept) {
  const source = join(from, '.next');
  const target = join(to, '.next');
  cpSync(source, target, { recursive: true, filter: (path) => !NOT_SERVED.test(basename(path)) });
  const renames = listPackageNames(join(source, 'node_modules'));
  for (const [, name] of renames)
    if (!kept.includes(name)) throw new Error(`The built pages require ${name}: add it to KEPT.`);
  rewriteFiles(join(target, 'server'), (text) =>
    renames.reduce((changed, [alias, name]) => changed.replaceAll(alias, name), text),
  );
  const { appDir } = JSON.parse(readFileSync(join(source, 'required-server-files.json'), 'utf8'));
  for (const name of ['required-server-files.json', 'required-server-files.js']) {
    const path = join(target, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(JSON.stringify(appDir), '"."'));
  }
}

/**
 * Next's build requires packages by aliases, which are links in its folder. A package has no links.
 * @param {string} folder @returns {[alias: string, name: string][]}
 */
function listPackageNames(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return listPackageNames(path).map(
        ([alias, name]) =>
          /** @type {[string, string]} */ ([`${entry.name}/${alias}`, `${entry.name}/${name}`]),
      );
    return [[entry.name, basename(readlinkSync(path))]];
  });
}

/** @param {string} folder @param {(text: string) => string} change */
function rewriteFiles(folder, change) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const changed = change(text);
    if (changed !== text) writeFileSync(path, changed);
  }
}
