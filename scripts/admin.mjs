// `npm run admin -- …`: the admin CLI. The code is in server/main/admin/admin.ts.
import { fileURLToPath } from 'node:url';
import { getSettingsFolder } from '../server/kit/settings-folder.mjs';
import { importMain } from './import-main.mjs';

// Standard output is only for the result, so that `| tail -1 | jq` always works.
console.log = console.info = console.debug = console.error;

const root = fileURLToPath(new URL('..', import.meta.url));
const { runAdmin } = await importMain('admin/admin');

// Ignore a closed reader, such as `| head`: the command has already completed.
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error;
});

process.exitCode = await runAdmin({
  args: process.argv.slice(2),
  env: process.env,
  cwd: getSettingsFolder(root),
  async readInput() {
    if (process.stdin.isTTY) process.stderr.write('Type the value, then Enter and Ctrl-D:\n');
    let text = '';
    for await (const chunk of process.stdin) text += chunk;
    return text;
  },
  print: (/** @type {string} */ line) => process.stdout.write(`${line}\n`),
  report: (/** @type {string} */ line) => process.stderr.write(`${line}\n`),
});
