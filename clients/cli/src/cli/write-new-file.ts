import { stat, writeFile } from 'node:fs/promises';
import { usageError } from './usage-error.js';

/**
 * Refuses a path that exists already, unless forced.
 * @throws GatewayError USAGE
 */
export async function requireNewFile(file: string | undefined, force: boolean): Promise<void> {
  if (file === undefined || force) return;
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (exists)
    throw usageError(`${file} already exists.`, 'Choose another name, or use --force to overwrite it.');
}

/** Writes a file that does not exist yet, or any if forced. @throws GatewayError USAGE */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<void> {
  await requireNewFile(file, force);
  await writeFile(file, text);
}
