import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Runtime } from '../runtime';

const FOLDER = 'scratch';
const HOUR_MS = 3_600_000;

/** A new folder for work on files; whoever makes it removes it. */
export async function makeScratch({ settings }: Pick<Runtime, 'settings'>, name: string): Promise<string> {
  const parent = join(settings.dataDir, FOLDER);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return await mkdtemp(join(parent, `${name}-`));
}

export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** The bytes of a file, opened when somebody asks for them: a stream that nobody reads would keep it open for ever. */
export async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}

/** Removes what dead processes left: nothing works on files for longer than a handler may run. */
export async function sweepScratch({ settings }: Pick<Runtime, 'settings'>): Promise<number> {
  const parent = join(settings.dataDir, FOLDER);
  const oldest = Date.now() - settings.handlerTimeoutSeconds * 1000 - HOUR_MS;
  let removed = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const made = await stat(folder).catch(() => null);
    if (!made || made.mtimeMs > oldest) continue;
    await removeScratch(folder);
    removed++;
  }
  return removed;
}
