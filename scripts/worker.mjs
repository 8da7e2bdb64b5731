// `npm run worker`: runs queued calls in a separate process. The code is in
// server/main/worker/worker.ts.
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const root = fileURLToPath(new URL('..', import.meta.url));
const { runWorker } = await tsImport('../server/main/worker/worker.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});

// Exits explicitly, because the queue's library leaves timers running.
process.exit(
  await runWorker({
    env: process.env,
    cwd: root,
    tell: (/** @type {string} */ line) => process.stderr.write(`${line}\n`),
  }),
);
