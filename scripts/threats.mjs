// `npm run check` (threats): docs/security.md must name existing tests for every row of the threat
// list, or the reason why there is none.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAP = 'docs/security.md';
/** Number of rows in each chapter of the threat list. */
const CHAPTERS = { A: 31, B: 20, C: 16, D: 14, E: 30, F: 41 };
/** Minimum length of a reason. */
const LEAST_REASON = 40;
const CITED = /`([^`]+)` › "([^"]+)"/g;

/** @type {Map<string, string>} */
const rows = new Map();
for (const part of readFileSync(root + MAP, 'utf8')
  .split(/^(?=\*\*[A-F]\d+\*\* )/m)
  .slice(1)) {
  const [, id = '', held = ''] = /^\*\*(\w+)\*\* [^\n]*\n([^#]*)/.exec(part) ?? [];
  if (rows.has(id)) complain(`${id} occurs twice`);
  rows.set(id, held);
}

for (const [chapter, count] of Object.entries(CHAPTERS))
  for (let number = 1; number <= count; number++) {
    const id = `${chapter}${number}`;
    const held = rows.get(id);
    if (held === undefined) complain(`${id} is missing`);
    else judge(id, held);
    rows.delete(id);
  }
for (const id of rows.keys()) complain(`${id} is not in the threat list`);

/**
 * @param {string} id
 * @param {string} held
 */
function judge(id, held) {
  const reason = /Not tested: (.+)/.exec(held)?.[1];
  if (reason !== undefined && reason.length < LEAST_REASON) complain(`${id}: the reason is too short`);
  const cited = [...held.matchAll(CITED)];
  if (cited.length === 0 && reason === undefined) complain(`${id} names no test: \`file\` › "title"`);
  for (const [, file = '', title = ''] of cited)
    if (!existsSync(root + file)) complain(`${id}: ${file} does not exist`);
    else if (!readFileSync(root + file, 'utf8').includes(title)) complain(`${id}: ${file} has no "${title}"`);
}

/** @param {string} text */
function complain(text) {
  console.error(`${MAP}: ${text}`);
  process.exitCode = 1;
}
