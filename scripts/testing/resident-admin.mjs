// The operator's command, loaded once for many runs: loading it is most of what a run by itself takes. It speaks over IPC
// alone and ends with whoever started it. Each run boots and stops as `npm run admin` does; that is tested by itself.
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { runAdmin } = await tsImport('../../server/admin/admin.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});

process.on('disconnect', () => process.exit(0));

/** Commands that start a database of their own would wait for each other anyhow. */
let last = Promise.resolve();
process.on('message', (message) => {
  last = last.then(() => answer(/** @type {AdminRequest} */ (message)));
});

/** @typedef {{ id: number, args: string[], env: NodeJS.ProcessEnv }} AdminRequest */

/** @param {AdminRequest} request */
async function answer({ id, args, env }) {
  let stdout = '';
  let stderr = '';
  const code = await runAdmin({
    args,
    env,
    cwd: root,
    print: (/** @type {string} */ line) => (stdout += `${line}\n`),
    tell: (/** @type {string} */ line) => (stderr += `${line}\n`),
  });
  process.send?.({ id, code, stdout, stderr });
}
