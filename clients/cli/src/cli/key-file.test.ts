import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliSandbox, createCliSandbox } from '../testing/cli-sandbox.js';
import { KeyFile } from './key-file.js';

let sandbox: CliSandbox;
let warnings: string[];
let file: KeyFile;
let count = 0;

const key = (api_key: string) => ({ api_key, saved_at: '2026-11-22T00:00:00.000Z' });
const getMode = async (path: string) => (await stat(path)).mode & 0o777;

beforeAll(async () => {
  sandbox = await createCliSandbox();
});
beforeEach(() => {
  warnings = [];
  count += 1;
  file = new KeyFile(
    { env: { XDG_CONFIG_HOME: join(sandbox.home, String(count)) }, home: sandbox.home },
    (message) => warnings.push(message),
  );
});
afterAll(() => sandbox.remove());

describe('the key file', () => {
  it('has mode 0600 in a folder of mode 0700, whatever the umask and the existing folder', async () => {
    await mkdir(dirname(file.path), { recursive: true, mode: 0o755 });
    const before = process.umask(0);
    await file
      .change(() => ({ keys: { 'http://a.test': key('tg_live_a') } }))
      .finally(() => process.umask(before));
    expect(await getMode(file.path)).toBe(0o600);
    expect(await getMode(file.folder)).toBe(0o700);
    expect(await readdir(file.folder)).toEqual(['credentials.json']);
  });

  it('restricts a file that others can read, with a warning that contains no key', async () => {
    await file.change(() => ({ keys: { 'http://a.test': key('tg_live_secret') } }));
    await chmod(file.path, 0o644);
    expect((await file.read()).keys['http://a.test']?.api_key).toBe('tg_live_secret');
    expect(await getMode(file.path)).toBe(0o600);
    expect(warnings.join()).toContain('could be read by other users');
    expect(warnings.join()).not.toContain('tg_live_secret');
  });

  it('applies all concurrent changes', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `http://${index}.test`);
    await Promise.all(
      names.map((name) => file.change(({ keys }) => ({ keys: { ...keys, [name]: key(`tg_live_${name}`) } }))),
    );
    expect(Object.keys((await file.read()).keys).sort()).toEqual([...names].sort());
  });

  it('is unchanged when a change fails', async () => {
    await file.change(() => ({ keys: { 'http://a.test': key('tg_live_a') } }));
    const before = await readFile(file.path, 'utf8');
    await expect(file.change(() => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
    expect(await readFile(file.path, 'utf8')).toBe(before);
    expect(await readdir(file.folder)).toEqual(['credentials.json']);
  });

  it('reports a damaged file and does not overwrite it', async () => {
    await file.change(() => ({ keys: {} }));
    await writeFile(file.path, '{"keys": {"http://a.test": 5}}');
    await expect(file.change((kept) => kept)).rejects.toThrow(/credentials\.json is damaged/);
    expect(await readFile(file.path, 'utf8')).toContain('5');
  });

  it('is in ~/.config when XDG_CONFIG_HOME is unset or not an absolute path', () => {
    for (const env of [{}, { XDG_CONFIG_HOME: 'relative' }])
      expect(new KeyFile({ env, home: '/home/me' }, () => undefined).path).toBe(
        '/home/me/.config/tool-gateway/credentials.json',
      );
  });
});
