// `npm run bench`: builds if the sources changed, then measures the production build. Flags are in
// bench/options.ts.
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { build, isBuilt } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { readOptions } = await tsImport('../bench/options.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
const options = readOptions(process.argv.slice(2));

// Search needs no server.
if (!options.search && !isBuilt()) {
  const code = await build();
  if (code !== 0) process.exit(code);
}
const { bench } = await tsImport('../bench/bench.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
process.exit(await bench(root, options));
