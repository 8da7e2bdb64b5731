import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FaultProxy } from '@/test/system/fixtures/fault-proxy';
import { reconcile } from '../billing/reconcile';
import { type Harness, startHarness } from '../testing/harness';
import { seedUsage } from '../usage/seed-usage';
import { BackupWriter, readBackup } from './backup-file';
import { makeBackup } from './make-backup';
import { nameOfPart } from './part-file';
import { restoreBackup } from './restore-backup';
import { TableDigest } from './table-digest';

const MIB = 1024 * 1024;
/** Their rows are more than 10 MB, a backup of them more than 3 MB. */
const CALLS = 60_000;
const SECRETS = Object.fromEntries(
  ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'].map((name) => [name, randomBytes(32).toString('base64')]),
);
const root = fileURLToPath(new URL('../..', import.meta.url));

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let source: Harness;
let proxy: FaultProxy;
let folder: string;
beforeAll(async () => {
  source = await startHarness({ env: SECRETS, role: 'command' });
  const { accountId } = await source.person(5_000_000n);
  await seedUsage(source.runtime, 'operator:test', { accountId, rows: CALLS, days: 60 });
  proxy = await FaultProxy.start({ port: Number(new URL(source.runtime.settings.databaseUrl).port) });
});
afterAll(async () => {
  await proxy.stop();
  await source.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-broken-backup-'));
});
afterEach(async () => {
  await proxy.pass();
  await rm(folder, { recursive: true, force: true });
});

const runtimeOn = ({ runtime }: Harness, databaseUrl: string) => ({
  ...runtime,
  settings: { ...runtime.settings, databaseUrl },
});
const restore = (target: Harness, from: string, databaseUrl = target.runtime.settings.databaseUrl) =>
  restoreBackup(target.runtime, { from, databaseUrl, acceptOtherSecrets: false });

/**
 * A file on a disk that takes each chunk only some milliseconds later, and has room for so many
 * bytes.
 */
class SlowFile extends Writable {
  readonly #path: string;
  #room: number;

  constructor(path: string, room = Number.POSITIVE_INFINITY) {
    super({ highWaterMark: 1 });
    this.#path = path;
    this.#room = room;
    writeFileSync(path, '', { flag: 'wx' });
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#room -= chunk.length;
    if (this.#room >= 0) appendFileSync(this.#path, chunk);
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    setTimeout(() => (this.#room < 0 ? done(full) : done()), 2);
  }
}

describe('a backup of tables of 10 MB', () => {
  it('is complete, and restored with equal digests and sound books', async () => {
    const [size] = await source.runtime.sql`select sum(length(u::text))::int as bytes from usage_records u`;
    expect(size?.bytes).toBeGreaterThan(10 * MIB);
    const backup = await makeBackup(source.runtime, { to: folder, files: false });
    expect(backup.tables['public.usage_records']?.rows).toBe(CALLS);
    expect(await readdir(folder)).toEqual([backup.path.split('/').at(-1)]);
    const target = await startHarness({ role: 'command', env: SECRETS });
    try {
      expect((await restore(target, backup.path)).tables).toEqual(backup.tables);
      expect((await reconcile(target.runtime)).differences).toEqual([]);
    } finally {
      await target.close();
    }
  });

  it('waits for a disk that is slower than PostgreSQL', async () => {
    const fast = await makeBackup(source.runtime, { to: join(folder, 'fast.backup'), files: false });
    const slow = await makeBackup(source.runtime, {
      to: join(folder, 'slow.backup'),
      files: false,
      open: (path) => new SlowFile(path),
    });
    expect(slow.tables).toEqual(fast.tables);
    let ends = 0;
    for await (const frame of readBackup(slow.path)) if ('json' in frame && frame.json.table_end) ends++;
    expect(ends).toBe(Object.keys(fast.tables).length);
  });

  it('on a disk that becomes full is one sentence and no file', async () => {
    for (const room of [0, MIB])
      await expect(
        makeBackup(source.runtime, { to: folder, files: false, open: (path) => new SlowFile(path, room) }),
      ).rejects.toThrow(/^No backup was written: there is no space left on the disk\.$/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('whose connection breaks is one sentence and no file', async () => {
    const runtime = runtimeOn(source, proxy.through(source.runtime.settings.databaseUrl));
    proxy.cutAfter(4 * MIB);
    await expect(makeBackup(runtime, { to: folder, files: false })).rejects.toThrow(
      /^No backup was written: [^\n]*(lost|terminated)[^\n]*\.$/,
    );
    expect(await readdir(folder)).toEqual([]);
    // The server is released, too: nothing of the backup holds a table.
    await expect
      .poll(
        async () =>
          await source.runtime.sql`select pid from pg_locks where mode = 'AccessShareLock'
        and relation = 'ledger_entries'::regclass and pid <> pg_backend_pid()`,
      )
      .toEqual([]);
  });
});

describe('a restore of tables of 10 MB', () => {
  it('whose connection breaks leaves the database as it was', async () => {
    const backup = await makeBackup(source.runtime, { to: folder, files: false });
    const target = await startHarness({ role: 'command', env: SECRETS });
    try {
      // The rows are on their way up; what comes down for so many bytes is the first table that is
      // read back.
      proxy.cutAfter(4 * MIB);
      const url = proxy.through(target.runtime.settings.databaseUrl);
      await expect(restore(target, backup.path, url)).rejects.toThrow(
        /^Nothing was restored: [^\n]*(lost|terminated)[^\n]*\.$/,
      );
      expect(await target.runtime.sql`select 1 from usage_records limit 1`).toEqual([]);
      expect((await restore(target, backup.path)).tables).toEqual(backup.tables);
    } finally {
      await target.close();
    }
  });

  it('that PostgreSQL refuses in the middle of a table names the table, in one sentence', async () => {
    const { path } = await makeBackup(source.runtime, { to: folder, files: false });
    const forged = join(folder, 'forged.backup');
    const writer = new BackupWriter(forged);
    let frames = -1;
    let digest = new TableDigest();
    const write = async (rows: Buffer) => {
      digest.add(rows);
      await writer.data(rows);
    };
    for await (const frame of readBackup(path)) {
      if ('json' in frame) {
        if (frame.json.table) frames = frame.json.table === 'public.usage_records' ? 0 : -1;
        if (frame.json.table) digest = new TableDigest();
        await writer.json(frame.json.table_end ? { table_end: digest.end() } : frame.json);
      } else {
        await write(frame.data);
        if (frames >= 0 && frames++ === 2) await write(Buffer.from('no row\n'));
      }
    }
    await writer.end();
    const target = await startHarness({ role: 'command', env: SECRETS });
    try {
      await expect(restore(target, forged)).rejects.toThrow(
        /^PostgreSQL did not accept the rows of usage_records: [^\n]+\.$/,
      );
      expect((await restore(target, path)).rows).toBeGreaterThan(CALLS);
    } finally {
      await target.close();
    }
  });
});

describe('the command', () => {
  const backUp = (databaseUrl: string, command = 'exec "$0" "$@"') => {
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
  const backups = async () => (await readdir(folder)).filter((name) => name !== 'data');
  const hasBegun = async () => {
    for (const name of await backups()) if ((await stat(join(folder, name))).size > 0) return true;
    return false;
  };

  it('that is interrupted or killed leaves no file that looks complete, and the next one removes what is left', async () => {
    const url = proxy.through(source.runtime.settings.databaseUrl);
    proxy.slow({ bytesPerSecond: MIB });
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { child, ended } = backUp(url);
      const early = ended.then(({ code }) => Promise.reject(new Error(`It ended with code ${code}.`)));
      early.catch(() => undefined);
      try {
        await Promise.race([expect.poll(hasBegun, { timeout: 120_000 }).toBe(true), early]);
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
    const running = nameOfPart('running.backup');
    const foreign = killed.replace(/-[0-9a-f]{8}-/, '-00000000-');
    for (const name of [running, foreign]) writeFileSync(join(folder, name), '');
    const { path, unfinished } = await makeBackup(source.runtime, { to: folder, files: false });
    expect((await backups()).sort()).toEqual([path.split('/').at(-1), running, foreign].sort());
    expect(unfinished).toEqual([join(folder, foreign)]);
  });

  it('whose reader has gone makes its backup all the same, without a stack', async () => {
    const { stderr } = await backUp(source.runtime.settings.databaseUrl, '"$0" "$@" | true').ended;
    expect(stderr).not.toContain('    at ');
    expect(await backups()).toEqual([expect.stringMatching(/\.backup$/)]);
  });

  it('that may not write so much says so in one line, without a stack, and leaves no file', async () => {
    const { ended } = backUp(source.runtime.settings.databaseUrl, 'ulimit -f 2048; exec "$0" "$@"');
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Not done: No backup was written: the file would exceed the size limit[^\n]*\.\n$/,
    );
    expect(stderr).not.toContain('    at ');
    expect(await backups()).toEqual([]);
  });
});
