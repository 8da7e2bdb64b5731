// `npm run worker`: runs queued calls in a separate process. The code is in
// server/main/worker/worker.ts.
import { fileURLToPath } from 'node:url';
import { getSettingsFolder } from '../server/kit/settings-folder.mjs';
import { importMain } from './import-main.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { runWorker } = await importMain('worker/worker');

// Exits explicitly, because the queue's library leaves timers running.
process.exit(
  await runWorker({
    env: process.env,
    cwd: getSettingsFolder(root),
    report: (/** @type {string} */ line) => process.stderr.write(`${line}\n`),
  }),
);
