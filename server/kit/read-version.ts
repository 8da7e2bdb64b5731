import { readFile } from 'node:fs/promises';
import { fromRoot } from './from-root';

/** The version in package.json. */
export async function readVersion(): Promise<string> {
  const text = await readFile(fromRoot('package.json'), 'utf8').catch(() => '{}');
  // Cannot throw: package.json of the program
  const { version } = JSON.parse(text) as { version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}
