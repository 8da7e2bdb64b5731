#!/usr/bin/env node
// The command of the package that `npm run pack:server` makes. The folder in which it is started
// has the settings (`.env`) and the data; the package itself is only read.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { runOnce, stopWithParent, supervise } from './supervise.mjs';

const USAGE = `Usage: tool-gateway-server [COMMAND]

  (none)          start the gateway; --processes N starts several web processes behind one port
  worker          start a process that only runs queued calls
  admin …         the admin CLI; admin --help lists its commands
  --version       print the version

Settings are environment variables, or lines of .env in this folder. Data is in tool-gateway-data,
or where DATA_DIR says.
`;
const DEFAULT_DATA_DIR = 'tool-gateway-data';
const USAGE_ERROR = 2;

const cwd = fileURLToPath(new URL('..', import.meta.url));
const [command = '', ...rest] = process.argv.slice(2);
process.exit(await run());

/** @returns {Promise<number>} the exit code */
async function run() {
  if (command === '--help' || command === '-h') return print(USAGE);
  // Cannot throw: the package's own file
  if (command === '--version')
    return print(`${JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).version}\n`);
  if (process.env.npm_command === 'exec') stopWithParent();
  chooseFolder(process.cwd());
  if (command === 'admin') return await runOnce(['scripts/admin.mjs', ...rest], { cwd });
  if (command === 'worker') return await runOnce(['scripts/worker.mjs', ...rest], { cwd });
  if (command === '' || command.startsWith('--'))
    return await supervise(['serve.mjs', ...process.argv.slice(2)], { cwd });
  process.stderr.write(`Unknown command ${JSON.stringify(command)}.\n\n${USAGE}`);
  return USAGE_ERROR;
}

/** @param {string} folder of settings and data */
function chooseFolder(folder) {
  const file = join(folder, '.env');
  const settings = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  process.env.TOOL_GATEWAY_FOLDER = folder;
  process.env.DATA_DIR ??= settings.DATA_DIR ?? DEFAULT_DATA_DIR;
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return 0;
}
