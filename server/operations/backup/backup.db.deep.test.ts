import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { buildForm, serveHarness, upload } from '@/test/support/asset-client';
import { createTestDatabase } from '@/test/support/database';
import type { Harness } from '@/test/support/harness';
import { TO_UNRELEASED } from '../../platform/database/adopt-unreleased';
import { MIGRATIONS } from '../../platform/database/migrate';
import { BackupWriter, readBackup } from './backup-file';
import type { Header } from './header';
import { createBackup } from './make-backup';
import { dropSchemas, runMigrations } from './store';
import { countRows, getFixture, restore, setUpSource, startTarget } from './testing/backups';
import { inTransaction } from './transaction';

let source: Harness;
let folder: string;

setUpSource();
beforeAll(() => {
  ({ source, folder } = getFixture());
});

describe('a backup', () => {
  it('includes files and their thumbnails on request, and restores them', async () => {
    const served = await serveHarness(source);
    const { key } = await source.person();
    const content = randomBytes(700_000);
    const headers = { authorization: `Bearer ${key}` };
    const body = buildForm(new Uint8Array(content), { name: 'a.bin' });
    const made = await (await upload(served.onNode, key, body)).json();
    served.close();
    expect(made.asset_id, JSON.stringify(made)).toBeDefined();
    const backup = await createBackup(source.runtime, { to: folder, files: true });
    expect(backup.files).toBe(1);
    expect(backup.path).toMatch(/tool-gateway-[\dTZ-]+\.backup$/);
    const target = await startTarget();
    const there = await serveHarness(target);
    try {
      expect((await restore(target, backup.path)).files).toBe(1);
      const answer = await there.onNode(`/v1/assets/${made.asset_id}`, { headers });
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    } finally {
      there.close();
      await target.close();
    }
  });
});

describe('a restore is complete or has no effect', () => {
  it('refuses a backup with unknown or missing tables and writes nothing', async () => {
    const { path } = await createBackup(source.runtime, { to: join(folder, 'true.backup'), files: false });
    const target = await startTarget();
    const pack = async (name: string, change: (header: Header) => void) => {
      const writer = new BackupWriter(join(folder, name));
      let skipping = false;
      for await (const frame of readBackup(path)) {
        if ('data' in frame) {
          if (!skipping) await writer.data(frame.data);
          continue;
        }
        const { json } = frame;
        if ('tables' in json) change(json as unknown as Header);
        if ('table' in json) skipping = json.table === 'public.audit_events';
        if (!skipping) await writer.json(json);
      }
      await writer.end();
      return join(folder, name);
    };
    const without = (header: Header) =>
      header.tables.splice(
        0,
        header.tables.length,
        ...header.tables.filter(({ name }) => name !== 'audit_events'),
      );
    try {
      const forged = await pack('forged.backup', (header) => {
        for (const table of header.tables)
          if (table.name === 'audit_events') Object.assign(table, { schema: 'pg_catalog', name: 'pg_proc' });
      });
      const shorter = await pack('shorter.backup', without);
      for (const file of [forged, shorter]) {
        await expect(restore(target, file), file).rejects.toThrow('Its tables are not those');
        expect(await countRows(target)).toBe(0);
      }
    } finally {
      await target.close();
    }
  });

  it('migrates a backup of an older version and refuses one of a newer version', async () => {
    const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
    const old = await createTestDatabase();
    const { sql, close } = connect(old.url, 1);
    const runtime = { ...source.runtime, settings: { ...source.runtime.settings, databaseUrl: old.url } };
    await inTransaction(old.url, '', async (tx) => {
      await dropSchemas(tx);
      await runMigrations(tx, migrations.slice(0, 1));
      await tx.query(TO_UNRELEASED);
      await tx.query(`insert into users (id, email, name) values ('usr_old', 'old@example.test', 'Old');
        insert into outgoing_mails (kind, account_id) values ('low_balance', 'acct_old')`);
    });
    const target = await startTarget();
    try {
      const older = await createBackup(runtime, { to: join(folder, 'older.backup'), files: false });
      await restore(target, older.path);
      expect(await target.runtime.sql`select id from users`).toEqual([{ id: 'usr_old' }]);
      expect(await target.runtime.sql`select kind from outgoing_emails`).toEqual([{ kind: 'low_balance' }]);

      await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`;
      const newer = await createBackup(runtime, { to: join(folder, 'newer.backup'), files: false });
      const { sql: books } = target.runtime;
      await books`delete from users`;
      await books`delete from outgoing_emails`;
      await expect(restore(target, newer.path)).rejects.toThrow('from a newer version');
      expect(await books`select id from users`).toEqual([]);
    } finally {
      await close();
      await target.close();
      await old.drop();
    }
  });
});
