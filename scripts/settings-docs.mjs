// Generates the settings documentation from the settings table: .env.example, and a table in the
// README between two markers. `--check` only compares, and exits 1 if one is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const START = '<!-- settings:start -->';
const END = '<!-- settings:end -->';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @typedef {{ name: string, default: string, description: string, secret: boolean }} Setting */
/** @type {{ settingsTable: Setting[] }} */
const { settingsTable } = await tsImport('../server/platform/settings/settings.ts', import.meta.url);

const check = process.argv.includes('--check');
const stale = [
  ['.env.example', envExample()],
  ['README.md', readme()],
].filter(([file = '', text]) => text !== undefined && text !== read(file));

for (const [file = '', text = ''] of stale) {
  if (check) console.error(`${file} is stale: run node scripts/settings-docs.mjs`);
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

/**
 * @returns {string | undefined} the README with the current table; undefined if it has no markers
 */
function readme() {
  const text = read('README.md');
  const from = text.indexOf(START);
  const to = text.indexOf(END);
  if (from === -1 || to < from) return undefined;
  const rows = settingsTable.map(({ name, default: value, description, secret }) => {
    const shown = value === '' ? '' : `\`${value}\``;
    return [`\`${name}\``, shown, `${description}${secret ? ' Secret.' : ''}`];
  });
  const table = alignedTable([['Setting', 'Default', 'What it does'], ...rows]);
  return `${text.slice(0, from + START.length)}\n\n${table}\n\n${text.slice(to)}`;
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
