// `npm run lint` (imports): no two rooms of server/, and no two folders of components/, import
// values from each other, directly or through others. Types may: they are erased.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCycles, listRoomImports } from './room-cycles/find-cycles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', 'server', 'components'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\.test\.|\/testing\//.test(file));
const imports = listRoomImports(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])));

for (const rooms of findCycles(imports)) {
  console.error(`These rooms import each other: ${rooms.join(', ')}`);
  for (const { from, to, file } of imports)
    if (rooms.includes(from) && rooms.includes(to)) console.error(`  ${file} imports ${to}`);
  process.exitCode = 1;
}
