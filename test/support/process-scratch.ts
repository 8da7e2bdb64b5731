import { mkdirSync, realpathSync } from 'node:fs';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchParent } from '@/server/assets/scratch';
import { shareScratch } from '@/server/platform/confinement/folders';

/** Workers see only the folders that existed when they started: with one, files share workers. */
const FOLDER = join(realpathSync(tmpdir()), `gateway-test-files-${process.pid}`);

function getScratch(): string {
  const scratch = scratchParent({ dataDir: FOLDER });
  mkdirSync(scratch, { recursive: true });
  return scratch;
}

/** Creates a folder whose files workers and programs may use; the caller removes it. */
export async function makeSharedFolder(name: string): Promise<string> {
  const scratch = getScratch();
  shareScratch(scratch);
  return await mkdtemp(join(scratch, `${name}-`));
}

/** Makes the scratch folder of this process that of a data folder. */
export async function linkScratch(dataDir: string): Promise<void> {
  await symlink(getScratch(), scratchParent({ dataDir }));
}
