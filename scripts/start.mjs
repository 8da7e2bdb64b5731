// `npm start`: builds if the sources changed, then serves, in this one process: its pid and its signals are the gateway's.
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { build, isBuilt } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

if (!isBuilt()) {
  await refuseIfRunning();
  console.log('\n  Building the gateway, once after each change of its sources.\n');
  const code = await build();
  if (code !== 0) process.exit(code);
}
await import('../serve.mjs');

/** A build replaces the files that a running gateway serves: told before, not after. */
async function refuseIfRunning() {
  const { assertNotRunning } = await tsImport('../server/boot/boot.ts', {
    parentURL: import.meta.url,
    tsconfig: `${root}tsconfig.json`,
  });
  try {
    await assertNotRunning(process.env, root);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
