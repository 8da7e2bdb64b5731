import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildCli } from '@/scripts/build-cli.mjs';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const run = promisify(execFile);

/** The packed and unpacked CLI package. */
export interface InstalledCli {
  /** Path of the program: `node <bin> …`. */
  bin: string;
  /** Paths of the files in the package. */
  files: string[];
  remove(): Promise<void>;
}

/**
 * Builds, packs and unpacks the CLI in a new folder inside the repository, where it finds its
 * dependencies without a network. Takes about two seconds.
 */
export async function installCli(): Promise<InstalledCli> {
  await mkdir(join(root, 'test-results'), { recursive: true });
  const folder = await mkdtemp(join(root, 'test-results', 'cli-'));
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    await copyFile(join(root, 'clients/cli', name), join(folder, name));
  buildCli(join(folder, 'dist'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  await run('tar', ['-xzf', packed?.filename ?? ''], { cwd: folder });
  return {
    bin: join(folder, 'package/dist/main.js'),
    files: packed?.files.map(({ path }) => path) ?? [],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
