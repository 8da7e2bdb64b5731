import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Builds the app of target (b), unless a build of this app with this Next exists. */
export async function buildNextNothing(root: string): Promise<void> {
  const dir = join(root, 'bench/next-nothing');
  const stampFile = join(dir, '.next/bench-build');
  const next = join(root, 'node_modules/next');
  const stamp = hash(dir, join(next, 'package.json'));
  if (read(stampFile) === stamp) return;
  const child = spawn(process.execPath, [join(next, 'dist/bin/next'), 'build', dir], {
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('Building bench/next-nothing failed');
  writeFileSync(stampFile, stamp);
}

function hash(dir: string, nextPackage: string): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.next/'))
    .sort();
  const sum = createHash('sha256');
  for (const path of [...files, nextPackage]) sum.update(readFileSync(path));
  return sum.digest('hex');
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
