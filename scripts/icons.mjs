// `npm run icons`: copies the icons that pages import from components/ui/icons there, from Lucide,
// and removes the others (docs/decisions/0083-install-what-runs.md).
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installOnDemand } from './on-demand.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'components/ui/icons');
/** Written by hand. */
const OWN = ['create-icon.ts'];
const IMPORT = /import \{([^}]*)\} from '(?:@\/components\/ui|\.\.?(?:\/\.\.)*(?:\/ui)?)\/icons'/g;
const NOTE = '// From Lucide, by `npm run icons`.\n';

/** @typedef {[tag: string, attributes: Record<string, string>]} Shape */

const source = join(installOnDemand('icons'), 'lucide-react');
const names = findUsed();
for (const file of readdirSync(target)) if (!OWN.includes(file)) rmSync(join(target, file));
for (const name of names) {
  const shapes = JSON.stringify(await readShapes(name));
  const code = `${NOTE}import { createIcon } from './create-icon';\n\nexport const ${name} = /* @__PURE__ */ createIcon(${shapes});\n`;
  writeFileSync(join(target, `${toFileName(name)}.ts`), code);
}
const lines = names.map((name) => `export { ${name} } from './${toFileName(name)}';\n`);
writeFileSync(
  join(target, 'index.ts'),
  `${NOTE}export type { IconComponent } from './create-icon';\n${lines.join('')}`,
);
copyFileSync(join(source, 'LICENSE'), join(target, 'LICENSE'));
const biome = join(installOnDemand('lint'), '.bin/biome');
const { status } = spawnSync(biome, ['check', '--write', '--log-level=error', target], {
  cwd: root,
  stdio: 'inherit',
});
console.log(`${names.length} icons written`);
process.exit(status ?? 1);

/** @returns {string[]} the names of the icons that pages and components import */
function findUsed() {
  /** @type {Set<string>} */
  const used = new Set();
  for (const folder of ['app', 'components']) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter(({ name }) => /\.tsx?$/.test(name)))
      for (const [, list = ''] of readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(IMPORT))
        for (const item of list.split(',').map((each) => each.trim()))
          if (item && !item.startsWith('type ')) used.add(item.replace(/ as .*/, ''));
  }
  return [...used].sort();
}

/**
 * @param {string} name
 * @returns {Promise<Shape[]>}
 */
async function readShapes(name) {
  const folder = join(source, 'dist/esm/icons');
  const path = join(folder, `${toFileName(name)}.mjs`);
  // A former name of an icon leads to a module without the shapes.
  const [, alias] = /from '(\.\/[\w-]+\.mjs)';/.exec(readFileSync(path, 'utf8')) ?? [];
  const { __iconData } = await import(pathToFileURL(alias ? join(folder, alias) : path).href);
  /** @type {[string, Record<string, string>][]} */
  const nodes = __iconData.node;
  return nodes.map(([tag, { key, ...attributes }]) => [tag, attributes]);
}

/** @param {string} name */
function toFileName(name) {
  return name.replace(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase();
}
