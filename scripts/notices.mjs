// `npm run notices`: writes THIRD-PARTY-NOTICES.txt, the licences of the packages that the product
// contains, from the installed packages. supply-chain.test.ts compares the list with the lock file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listShipped } from './notices/list-shipped.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const LINE = '-'.repeat(80);

/** By the text without white space, because many packages have the same. */
/** @type {Map<string, { text: string, names: string[] }>} */
const chapters = new Map();
for (const { path, name, version, license } of listShipped()) {
  const text = readText(path) || 'The package has no licence text; its package.json names the licence.';
  const key = text.replace(/\s+/g, '');
  const chapter = chapters.get(key) ?? { text, names: [] };
  chapter.names.push(`${name} ${version} (${license || 'see below'})`);
  chapters.set(key, chapter);
}
const icons = 'components/ui/icons/LICENSE';
chapters.set(icons, {
  text: readFileSync(join(root, icons), 'utf8').trim(),
  names: [`Icons of Lucide, copied by \`npm run icons\` (ISC and MIT)`],
});
const parts = [...chapters.values()].map(
  ({ text, names }) => `${LINE}\n${names.join('\n')}\n${LINE}\n\n${text}\n`,
);
const head = `Third-party notices

The Tool Gateway contains these packages. Made from package-lock.json and the installed packages by
\`npm run notices\`. Binaries of other platforms than Linux x64 have the licence of their package.
`;
writeFileSync(join(root, 'THIRD-PARTY-NOTICES.txt'), `${head}\n${parts.join('\n')}`);
console.log('THIRD-PARTY-NOTICES.txt written');

/** @param {string} path of an installed package */
function readText(path) {
  const folder = join(root, path);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .sort()
    .join('\n\n');
}
