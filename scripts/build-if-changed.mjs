// The first step of `npm start`: builds if the sources have changed since the last build.
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

if (!isBuilt()) {
  await refuseIfRunning();
  console.log('\n  Building the gateway: a minute or two,\n  after each change of its sources.\n');
  process.exit(await build());
}

/** A build replaces files that a running gateway serves, so check before. */
async function refuseIfRunning() {
  const { tsImport } = await import('tsx/esm/api');
  const { assertNotRunning } = await tsImport('../server/main/boot/boot.ts', {
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
