// `npm run worker`: runs queued calls in a process of its own. What it does is in server/main/worker/worker.ts.
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const root = fileURLToPath(new URL('..', import.meta.url));
const { runWorker } = await tsImport('../server/main/worker/worker.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});

// The queue's library leaves timers behind: the exit is said, not waited for.
process.exit(
  await runWorker({
    env: process.env,
    cwd: root,
    tell: (/** @type {string} */ line) => process.stderr.write(`${line}\n`),
  }),
);
