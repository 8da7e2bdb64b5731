// `npm run lint`: a function takes `Pick<Runtime, …>` of the fields it uses, so that a test passes
// only those.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWidePlaces } from './runtime/find-wide-places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server'], {
  cwd: root,
  encoding: 'utf8',
});
for (const file of listed.split('\n')) {
  if (!/\.tsx?$/.test(file) || /\.test\.|\/testing\//.test(file) || !existsSync(join(root, file))) continue;
  for (const { line, fields } of findWidePlaces(file, readFileSync(join(root, file), 'utf8'))) {
    const wanted = fields.map((field) => `'${field}'`).join(' | ');
    console.error(`${file}:${line}  takes Runtime. Use Pick<Runtime, ${wanted}>.`);
    process.exitCode = 1;
  }
}
