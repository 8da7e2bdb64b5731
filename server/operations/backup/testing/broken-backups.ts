import { randomBytes } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { FaultProxy } from '@/test/system/fixtures/fault-proxy';
import { reconcile } from '../../../money/reconcile/reconcile';
import { seedUsage } from '../../../usage/seed-usage';
import { BackupWriter, readBackup } from '../backup-file';
import { createBackup } from '../make-backup';
import { restoreBackup } from '../restore-backup';
import { TableDigest } from '../table-digest';

export const SECRETS = Object.fromEntries(
  ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'].map((name) => [name, randomBytes(32).toString('base64')]),
);

let calls: number;
let source: Harness;
let proxy: FaultProxy;
let folder: string;

/** Starts a gateway with this many calls behind a proxy, and creates a folder for each test. */
export function setUpBackups(seeded: number): void {
  calls = seeded;
  beforeAll(async () => {
    source = await startHarness({ env: SECRETS, role: 'command' });
    const { accountId } = await source.person(5_000_000n);
    await seedUsage(source.runtime, 'operator:test', { accountId, rows: calls, days: 60 });
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
}

/** The gateway, the proxy and the folder, once they are set up. */
export const getFixture = () => ({ source, proxy, folder });

const runtimeOn = ({ runtime }: Harness, databaseUrl: string) => ({
  ...runtime,
  settings: { ...runtime.settings, databaseUrl },
});
const restore = (target: Harness, from: string, databaseUrl = target.runtime.settings.databaseUrl) =>
  restoreBackup(target.runtime, { from, databaseUrl, acceptOtherSecrets: false });

/** A file on a slow disk with limited space: it accepts each chunk only after some milliseconds. */
export class SlowFile extends Writable {
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

/** The guarantees of a backup and a restore that fail in the middle of rows of `bytes`. */
export function describeBreaks(bytes: number): void {
  describe(`a backup of tables of ${bytes / 1_000_000} MB`, () => {
    it('is complete, and restored with equal digests and no differences in reconcile @F10', async () => {
      const [size] = await source.runtime.sql`select sum(length(u::text))::int as n from usage_records u`;
      expect(size?.n).toBeGreaterThan(bytes);
      const backup = await createBackup(source.runtime, { to: folder, files: false });
      expect(backup.tables['public.usage_records']?.rows).toBe(calls);
      expect(await readdir(folder)).toEqual([backup.path.split('/').at(-1)]);
      const target = await startHarness({ role: 'command', env: SECRETS });
      try {
        expect((await restore(target, backup.path)).tables).toEqual(backup.tables);
        expect((await reconcile(target.runtime)).differences).toEqual([]);
      } finally {
        await target.close();
      }
    });

    it('reports a full disk in one sentence and leaves no file @F10', async () => {
      for (const room of [0, bytes / 10])
        await expect(
          createBackup(source.runtime, {
            to: folder,
            files: false,
            open: (path) => new SlowFile(path, room),
          }),
        ).rejects.toThrow(/^No backup was written: there is no space left on the disk\.$/);
      expect(await readdir(folder)).toEqual([]);
    });

    it('reports a broken connection in one sentence and leaves no file @F10', async () => {
      const runtime = runtimeOn(source, proxy.through(source.runtime.settings.databaseUrl));
      proxy.cutAfter(bytes * 0.4);
      await expect(createBackup(runtime, { to: folder, files: false })).rejects.toThrow(
        /^No backup was written: [^\n]*(lost|terminated)[^\n]*\.$/,
      );
      expect(await readdir(folder)).toEqual([]);
      // The backup's locks on the tables must be released too.
      await expect
        .poll(
          async () =>
            await source.runtime.sql`select pid from pg_locks where mode = 'AccessShareLock'
        and database = (select oid from pg_database where datname = current_database())
        and relation = 'ledger_entries'::regclass and pid <> pg_backend_pid()`,
        )
        .toEqual([]);
    });
  });

  describe(`a restore of tables of ${bytes / 1_000_000} MB`, () => {
    it('leaves the database as it was if the connection breaks @F10', async () => {
      const backup = await createBackup(source.runtime, { to: folder, files: false });
      const target = await startHarness({ role: 'command', env: SECRETS });
      try {
        // The rows are uploaded first; the bytes that come back are the first table, read again.
        proxy.cutAfter(bytes * 0.4);
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

    it('names the table in one sentence if PostgreSQL refuses its rows @F10', async () => {
      const { path } = await createBackup(source.runtime, { to: folder, files: false });
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
          if (frames >= 0 && frames++ === 0) await write(Buffer.from('no row\n'));
        }
      }
      await writer.end();
      const target = await startHarness({ role: 'command', env: SECRETS });
      try {
        await expect(restore(target, forged)).rejects.toThrow(
          /^PostgreSQL did not accept the rows of usage_records: [^\n]+\.$/,
        );
        expect((await restore(target, path)).rows).toBeGreaterThan(calls);
      } finally {
        await target.close();
      }
    });
  });
}
