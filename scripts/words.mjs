// `npm run lint`: refuses private words in comments, messages and titles, and long comments.
// `node scripts/words.mjs PATH …` checks only these files or folders.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWordProblems } from './words/find-word-problems.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_SHOWN = 200;
const CHECKED = /\.(tsx?|mjs|cjs|sql|md)$/;
/** Files that record the past, or are generated. */
const NOT_CHECKED = /^(CHANGELOG\.md|db\/migrations\/|clients\/cli\/src\/generated\/|scripts\/words\/)/;

const paths = process.argv.slice(2).map((path) => path.replace(/\/$/, ''));
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => CHECKED.test(file) && !NOT_CHECKED.test(file) && existsSync(join(root, file)))
  .filter((file) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`)));

const problems = files.flatMap((file) =>
  findWordProblems(file, readFileSync(join(root, file), 'utf8')).map(
    ({ line, problem }) => `${file}:${line}  ${problem}`,
  ),
);
for (const problem of problems.slice(0, MAX_SHOWN)) console.log(problem);
if (problems.length > MAX_SHOWN) console.log(`and ${problems.length - MAX_SHOWN} more`);
if (problems.length > 0) console.log(`\n${problems.length} problems; docs/glossary.md has the terms to use.`);
process.exit(problems.length > 0 ? 1 : 0);
