import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { readBackup } from './backup-file';
import { createBackup } from './make-backup';
import { createPartName } from './part-file';
import { describeBreaks, getFixture, SECRETS, SlowFile, setUpBackups } from './testing/broken-backups';

const KIB = 1024;
const root = fileURLToPath(new URL('../../..', import.meta.url));

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

// The rows take more than 2 MB, and a backup of them more than 600 kB.
setUpBackups(12_000);
describeBreaks(2_000_000);

it('a backup waits for a disk that is slower than PostgreSQL @F10', async () => {
  const { source, folder } = getFixture();
  const fast = await createBackup(source.runtime, { to: join(folder, 'fast.backup'), files: false });
  const slow = await createBackup(source.runtime, {
    to: join(folder, 'slow.backup'),
    files: false,
    open: (path) => new SlowFile(path),
  });
  expect(slow.tables).toEqual(fast.tables);
  let ends = 0;
  for await (const frame of readBackup(slow.path)) if ('json' in frame && frame.json.table_end) ends++;
  expect(ends).toBe(Object.keys(fast.tables).length);
});

describe('the backup command', () => {
  const backUp = (databaseUrl: string, command = 'exec "$0" "$@"') => {
    const { folder } = getFixture();
    const args = ['-c', command, process.execPath, 'scripts/admin.mjs', 'backup', '--to', folder];
    const { PATH, HOME, TMPDIR } = process.env;
    const env = {
      ...{ PATH, HOME, TMPDIR },
      NODE_ENV: 'test',
      GATEWAY_ENV: 'local',
      ...SECRETS,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
    } as NodeJS.ProcessEnv;
    const child = spawn('sh', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const ended = new Promise<{ code: number | null; stderr: string }>((done) =>
      child.once('close', (code) => done({ code, stderr })),
    );
    return { child, ended };
  };
  const backups = async () => (await readdir(getFixture().folder)).filter((name) => name !== 'data');
  const hasStarted = async () => {
    for (const name of await backups())
      if ((await stat(join(getFixture().folder, name))).size > 0) return true;
    return false;
  };

  it('leaves no complete-looking file when interrupted or killed, and the next run cleans up @F10', async () => {
    const { source, proxy, folder } = getFixture();
    const url = proxy.through(source.runtime.settings.databaseUrl);
    proxy.slow({ bytesPerSecond: 256 * KIB });
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { child, ended } = backUp(url);
      const early = ended.then(({ code }) => Promise.reject(new Error(`It ended with code ${code}.`)));
      early.catch(() => undefined);
      try {
        await Promise.race([expect.poll(hasStarted, { timeout: 120_000 }).toBe(true), early]);
      } catch (cause) {
        child.kill('SIGKILL');
        throw new Error(`The backup did not begin: ${(await ended).stderr}`, { cause });
      }
      child.kill(signal);
      await ended;
      const left = await backups();
      if (signal === 'SIGTERM') expect(left).toEqual([]);
      else expect(left).toEqual([expect.stringMatching(/\.part$/)]);
    }
    const [killed = ''] = await backups();
    const running = createPartName('running.backup');
    const foreign = killed.replace(/-[0-9a-f]{8}-/, '-00000000-');
    for (const name of [running, foreign]) writeFileSync(join(folder, name), '');
    const { path, unfinished } = await createBackup(source.runtime, { to: folder, files: false });
    expect((await backups()).sort()).toEqual([path.split('/').at(-1), running, foreign].sort());
    expect(unfinished).toEqual([join(folder, foreign)]);
  });

  it('writes its backup without a stack trace although its output is closed', async () => {
    const { stderr } = await backUp(getFixture().source.runtime.settings.databaseUrl, '"$0" "$@" | true')
      .ended;
    expect(stderr).not.toContain('    at ');
    expect(await backups()).toEqual([expect.stringMatching(/\.backup$/)]);
  });

  it('reports an exceeded file size limit in one line without a stack trace, and leaves no file @F10', async () => {
    const { ended } = backUp(
      getFixture().source.runtime.settings.databaseUrl,
      'ulimit -f 512; exec "$0" "$@"',
    );
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Not done: No backup was written: the file would exceed the size limit[^\n]*\.\n$/,
    );
    expect(stderr).not.toContain('    at ');
    expect(await backups()).toEqual([]);
  });
});
