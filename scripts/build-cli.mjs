// `npm run cli:build`, also run before `npm pack`: compiles the CLI to JavaScript with its types.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const EXECUTABLE = 0o755;

/**
 * Builds the package `@tool-gateway/cli`.
 * @param {string} [folder] output folder; the package's own `dist` by default
 * @throws if the sources do not compile
 */
export function buildCli(folder = join(root, 'clients/cli/dist')) {
  rmSync(folder, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(
    process.execPath,
    [tsc, '-p', join(root, 'clients/cli'), '--outDir', folder],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The CLI does not compile:\n${stdout}`);
  chmodSync(join(folder, 'main.js'), EXECUTABLE);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildCli();
