// `npm run lint` (words): no refused word, no comment over 100 columns, at most three lines of
// inline comment. Reads lines, so a text that looks like a comment counts as one.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In this code they always stood for a technical term: docs/glossary.md says which. */
const REFUSED = /\b(told|tells|whoever|beside|anew|let go(?! ?[:=;])|strangers?|mends?)\b/i;
/** An address and a cast cannot be broken. */
const UNBREAKABLE = /https?:\/\/|biome-ignore|@type/;
const MAX_COLUMNS = 100;
const MAX_INLINE_LINES = 3;
const READ = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.sql', '*.md'];
/** They record the past, are generated, or list the words. */
const EXCEPT =
  /^(CHANGELOG\.md|db\/migrations\/|clients\/cli\/src\/generated\/|docs\/glossary\.md|scripts\/words\.mjs)/;

const root = fileURLToPath(new URL('..', import.meta.url));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...READ], {
  cwd: root,
  encoding: 'utf8',
});
for (const file of listed.trim().split('\n'))
  if (!EXCEPT.test(file) && existsSync(join(root, file))) check(file);
if (process.exitCode) console.error('\ndocs/glossary.md has the terms to use.');

/** @param {string} file */
function check(file) {
  const inline = file.endsWith('.sql') ? /^\s*--/ : /^\s*\/\//;
  const isCode = !file.endsWith('.md');
  let inlineLines = 0;
  for (const [at, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    const complain = (/** @type {string} */ problem) => {
      console.error(`${file}:${at + 1}  ${problem}`);
      process.exitCode = 1;
    };
    const refused = REFUSED.exec(line);
    if (refused) complain(`refused word "${refused[1]}"`);
    if (!isCode) continue;
    if ((inline.test(line) || /^\s*\/?\*/.test(line)) && line.length > MAX_COLUMNS && !UNBREAKABLE.test(line))
      complain(`comment of ${line.length} columns, at most ${MAX_COLUMNS}`);
    inlineLines = inline.test(line) ? inlineLines + 1 : 0;
    if (inlineLines === MAX_INLINE_LINES + 1)
      complain(`inline comment of more than ${MAX_INLINE_LINES} lines`);
  }
}
