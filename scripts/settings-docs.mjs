// `npm run settings-docs` writes .env.example and docs/settings.md from the settings table;
// `--check` (part of `npm run check`) exits 1 if one of them is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const INTRODUCTION = `# Settings

The gateway reads settings from the environment, or from a file \`.env\` in its folder. An invalid setting stops the start, with one message
that lists every problem. This page is generated: edit \`server/platform/settings/settings-table.ts\`, then run \`npm run settings-docs\`.
`;

const root = fileURLToPath(new URL('..', import.meta.url));
/** @typedef {{ name: string, default: string, description: string, secret: boolean }} Setting */
/** @type {{ settingsTable: Setting[] }} */
const { settingsTable } = await tsImport('../server/platform/settings/settings.ts', import.meta.url);

const check = process.argv.includes('--check');
const stale = [
  ['.env.example', envExample()],
  ['docs/settings.md', settingsPage()],
].filter(([file = '', text]) => text !== read(file));

for (const [file = '', text = ''] of stale) {
  if (check) console.error(`${file} is stale: run npm run settings-docs`);
  else writeFileSync(root + file, text);
}
if (check && stale.length > 0) process.exit(1);

function envExample() {
  const head = '# Copy to .env and uncomment what you need. Every setting has a default for a local start.\n';
  const rows = settingsTable.map((row) => {
    const note = row.default === '' ? '' : ` Default: ${row.default}.`;
    return `\n# ${row.description}${note}\n# ${row.name}=\n`;
  });
  return head + rows.join('');
}

function settingsPage() {
  const rows = settingsTable.map(({ name, default: value, description, secret }) => {
    const shown = value === '' ? '' : `\`${value}\``;
    return [`\`${name}\``, shown, `${description}${secret ? ' Secret.' : ''}`];
  });
  return `${INTRODUCTION}\n${alignedTable([['Setting', 'Default', 'Description'], ...rows])}\n`;
}

/**
 * Formats a Markdown table like Biome, so that generating and formatting do not conflict.
 * @param {string[][]} rows the titles first
 */
function alignedTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [titles = [], ...rest] = rows;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

/** @param {string} file */
function read(file) {
  return existsSync(root + file) ? readFileSync(root + file, 'utf8') : '';
}
