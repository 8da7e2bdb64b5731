// `npm run threats` lists in docs/security.md, below each threat, the tests whose titles end with
// its id, such as `@A1`; `--check` (part of `npm run check`) exits 1 if the page is stale.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/security.md';
const THREAT = /^\*\*([A-F]\d+)\*\* /;
const TEST = /^- `[^`]+` › "/;
const TAGGED = /(['"`])((?:\\.|(?!\1).)+?)((?: @[A-F]\d+)+)\1/g;

const tests = listTests();
const page = readFileSync(root + PAGE, 'utf8');
const written = page
  .split(/^(?=\*\*[A-F]\d+\*\* )/m)
  .map(writeTests)
  .join('');
for (const [id, [first]] of tests) complain(`${PAGE} has no threat ${id}, which a test names: ${first}`);
if (!process.argv.includes('--check')) writeFileSync(root + PAGE, written);
else if (written !== page) complain(`${PAGE} is stale: run npm run threats`);

/** @returns {Map<string, string[]>} the lines of the page by threat */
function listTests() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\n').sort()) {
    if (!existsSync(root + file) || file === '') continue;
    for (const [, , title = '', tags = ''] of readFileSync(root + file, 'utf8').matchAll(TAGGED))
      for (const id of tags
        .trim()
        .split(' @')
        .map((tag) => tag.replace('@', '')))
        found.set(id, [...(found.get(id) ?? []), `- \`${file}\` › "${title.replaceAll('\\', '')}"`]);
  }
  return found;
}

/**
 * @param {string} row a threat and what follows it, up to the next
 * @returns {string} with its tests
 */
function writeTests(row) {
  const id = THREAT.exec(row)?.[1];
  if (id === undefined) return row;
  const found = tests.get(id) ?? [];
  tests.delete(id);
  if (found.length === 0 && !row.includes('\n- Not tested: '))
    complain(`${PAGE}: ${id} has no test. End the title of one with @${id}, or add "- Not tested: reason"`);
  const lines = row.split('\n').filter((line) => !TEST.test(line));
  lines.splice(lines.indexOf('') + 1, 0, ...found);
  return lines.join('\n');
}

/** @param {string} text */
function complain(text) {
  console.error(text);
  process.exitCode = 1;
}
