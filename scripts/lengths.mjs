// `npm run lint`: a function outside tests has at most 80 lines. Biome's rule is no substitute: it
// skips signatures, JSX and template strings.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLongFunctions } from './lengths/find-long-functions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 80;
const CHECKED = /\.(tsx?|[cm]?js)$/;
const TESTS = /\.(test|spec)\.|(^|\/)(testing|e2e|bench|test)\//;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => CHECKED.test(file) && !TESTS.test(file) && existsSync(join(root, file)));
for (const file of files)
  for (const { name, line, lines } of findLongFunctions(
    file,
    readFileSync(join(root, file), 'utf8'),
    MAX_LINES,
  )) {
    console.error(`${file}:${line}  ${name} has ${lines} lines. Split it: the limit is ${MAX_LINES}.`);
    process.exitCode = 1;
  }
