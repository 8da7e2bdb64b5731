// `npm run lint` (imports): the code of a call is read in one sitting. docs/architecture.md lists
// the files from the socket to SQL, run-call.ts imports few, and few SQL functions write calls.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFunctionProblems, findPathProblems, readPath } from './call-path/check-path.mjs';
import { listReached } from './room-cycles/find-cycles.mjs';

const START = 'server/calls/run-call.ts';
/** Files whose values run-call.ts imports, directly or through others. Types are erased. */
const MAX_REACHED = 90;
/** The lines of those files. */
const MAX_LINES = 7_600;
/** Files of the table in docs/architecture.md. */
const MAX_READ = 25;
/** They create the objects of a process and list the routers. */
const WIRING = /^server\/(main\/[^/]+|api\/root)\.ts$/;
/** Three for each call; a cancel and the reaper end others' calls. */
const WRITERS = ['admit_calls', 'commit_calls', 'end_calls', 'cancel_job', 'reap_calls'];
const MAX_PARAMETERS = 8;

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', 'server', 'db'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|mjs|sql)$/.test(file) && !/\.test\./.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const functions = new Map(
  files
    .filter((file) => file.startsWith('db/functions/'))
    .map((file) => [basename(file, '.sql'), sources.get(file) ?? '']),
);

const reached = listReached(START, sources);
if (reached.length > MAX_REACHED)
  complain(
    `${START} imports ${reached.length} files, at most ${MAX_REACHED}. Pass what is heavy through Runtime`,
  );
const lines = reached.reduce((sum, file) => sum + (sources.get(file) ?? '').split('\n').length - 1, 0);
if (lines > MAX_LINES) complain(`${START} imports ${lines} lines, at most ${MAX_LINES}. Delete some`);
const path = readPath(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
if (path.length === 0) complain('docs/architecture.md has no table of the path of a call');
if (path.length > MAX_READ)
  complain(`docs/architecture.md: the path of a call has ${path.length} files, at most ${MAX_READ}`);
for (const problem of findPathProblems(path, sources, WIRING)) complain(`docs/architecture.md: ${problem}`);
for (const problem of findFunctionProblems(functions, { names: WRITERS, maxParameters: MAX_PARAMETERS }))
  complain(`db/functions: ${problem}`);

/** @param {string} problem */
function complain(problem) {
  console.error(problem);
  process.exitCode = 1;
}
