import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { readSettings } from '../../platform/settings/settings';
import { loadSecrets } from './secrets';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

const settings = (env: Record<string, string> = {}) =>
  readSettings({ NODE_ENV: 'test', DATA_DIR: folder, ...env });
const file = () => join(folder, 'secrets.json');
const modeOf = async () => (await stat(file())).mode & 0o777;

it('generates secrets once and stores them readable only for their owner', async () => {
  const first = await loadSecrets(settings());
  expect(Buffer.from(first.vaultKey, 'base64')).toHaveLength(32);
  expect(new Set(Object.values(first)).size).toBe(3);
  expect(await modeOf()).toBe(0o600);
  expect(await loadSecrets(settings())).toEqual(first);
});

it('restores the mode of a file that was made readable for others', async () => {
  await loadSecrets(settings());
  await chmod(file(), 0o644);
  await loadSecrets(settings());
  expect(await modeOf()).toBe(0o600);
});

it('prefers secrets from the environment', async () => {
  const secret = 's'.repeat(40);
  const loaded = await loadSecrets(settings({ AUTH_SECRET: secret }));
  expect(loaded.authSecret).toBe(secret);
  expect(await readFile(file(), 'utf8')).not.toContain(secret);
});

it('never replaces a damaged file, which may have the only copy of the vault key', async () => {
  await writeFile(file(), '{"authSecret":');
  await expect(loadSecrets(settings())).rejects.toThrow(/damaged/);
  expect(await readFile(file(), 'utf8')).toBe('{"authSecret":');
});
