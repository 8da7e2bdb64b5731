// `npm run lint` (imports): run-call.ts imports no more files than it did, directly or through
// others. Types are erased, so they do not count. A change that imports fewer lowers the limit.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listReached } from './room-cycles/find-cycles.mjs';

const START = 'server/calls/run-call.ts';
const MAX_FILES = 89;

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', 'server', 'db'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.test\./.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const reached = listReached(START, sources);
if (reached.length !== MAX_FILES) {
  const cause = reached.length > MAX_FILES ? 'Pass what is heavy through Runtime' : 'Lower MAX_FILES';
  console.error(`${START} imports ${reached.length} files, the limit is ${MAX_FILES}. ${cause}.`);
  process.exitCode = 1;
}
