import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '@/db/client';
import { reconcile } from '../billing/reconcile';
import { MIGRATIONS } from '../boot/migrate';
import { form, serveHarness, upload } from '../testing/asset-client';
import { createTestDatabase } from '../testing/database';
import { type Harness, startHarness } from '../testing/harness';
import { BackupWriter, readBackup } from './backup-file';
import type { Header } from './header';
import { makeBackup } from './make-backup';
import { restoreBackup } from './restore-backup';
import { dropSchemas, runMigrations } from './store';
import { inTransaction } from './transaction';

const SECRETS = Object.fromEntries(
  ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'].map((name) => [name, randomBytes(32).toString('base64')]),
);
const RATES = { RATE_PER_MINUTE: '100000', RATE_PER_HOUR: '1000000', CONCURRENT_CALLS: '50' };

vi.setConfig({ testTimeout: 120_000 });

let source: Harness;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-backup-'));
  source = await startHarness({ env: { ...SECRETS, ...RATES, JOBS: 'external' }, standin: true });
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

const startTarget = (env: Record<string, string> = {}) =>
  startHarness({ role: 'command', env: { ...SECRETS, ...RATES, ...env } });
const restore = (target: Harness, from: string, acceptOtherSecrets = false) =>
  restoreBackup(target.runtime, {
    from,
    databaseUrl: target.runtime.settings.databaseUrl,
    acceptOtherSecrets,
  });
const call = (key: string, skill: string, input: object, headers: Record<string, string> = {}) =>
  source.ask('POST', '/v1/tools/call', { key, headers, json: { tool: 'diagnostics', skill, input } });
const countRows = async ({ runtime }: Harness) =>
  (
    await runtime.sql`select (select count(*) from accounts)::int + (select count(*) from usage_records)::int as n`
  )[0]?.n;

describe('a backup of a gateway at work', () => {
  it('is one moment: restored elsewhere, every table is equal and the books agree', async () => {
    const people = await Promise.all([1, 2, 3].map(() => source.person(5_000_000n)));
    let over = false;
    const clients = people.map(async ({ key }, n) => {
      for (let i = 0; !over; i++) {
        const answer = await call(key, 'spend', { amount_usd: 0.001 + n / 1000, seconds: (i % 5) / 100 });
        if (answer.status !== 200) throw new Error(answer.text);
      }
    });
    while (Number(await countRows(source)) < 40) await new Promise((done) => setTimeout(done, 20));
    const before = Number(await countRows(source));
    const backup = await makeBackup(source.runtime, { to: join(folder, 'busy.backup'), files: false });
    const after = Number(await countRows(source));
    over = true;
    await Promise.all(clients);

    expect(Number((await stat(backup.path)).mode & 0o777)).toBe(0o600);
    expect(backup.tables['public.usage_records']?.rows).toBeGreaterThan(0);
    expect(after).toBeGreaterThanOrEqual(before);
    const target = await startTarget();
    try {
      const report = await restore(target, backup.path);
      expect(report.tables).toEqual(backup.tables);
      // Read again from what is there now, by a backup of its own.
      const again = await makeBackup(target.runtime, { to: join(folder, 'again.backup'), files: false });
      expect(again.tables).toEqual(backup.tables);
      expect((await reconcile(target.runtime)).differences).toEqual([]);
      const [person] = people;
      // What comes next has a number of its own: the sequences went along.
      await target.ask('POST', '/v1/tools/call', {
        key: person?.key ?? '',
        json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } },
      });
      expect((await reconcile(target.runtime)).differences).toEqual([]);
      await expect(restore(target, backup.path)).rejects.toThrow('The database is not empty');
    } finally {
      await target.close();
    }
  });

  it('has the bytes of files and their thumbnails where they are asked for, and puts them back', async () => {
    const served = await serveHarness(source);
    const { key } = await source.person();
    const content = randomBytes(700_000);
    const headers = { authorization: `Bearer ${key}` };
    const body = form(new Uint8Array(content), { name: 'a.bin' });
    const made = await (await upload(served.onNode, key, body)).json();
    served.close();
    expect(made.asset_id, JSON.stringify(made)).toBeDefined();
    const backup = await makeBackup(source.runtime, { to: folder, files: true });
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

  it('a call that waited in the queue is run after the restore', async () => {
    const { key } = await source.person(1_000_000n);
    const queued = await call(key, 'background', { seconds: 0.1, steps: 1 }, { prefer: 'wait=0' });
    expect(queued.status).toBe(202);
    const backup = await makeBackup(source.runtime, { to: join(folder, 'queued.backup'), files: false });
    const target = await startTarget();
    try {
      await restore(target, backup.path);
      const working = await startHarness({
        beside: target,
        env: { ...SECRETS, ...RATES, LEASE_SECONDS: '4' },
      });
      try {
        for (let n = 0; n < 4; n++) {
          const job = await working.ask('GET', `/v1/jobs/${queued.body.job_id}`, { key });
          if (job.body.status === 'completed') break;
        }
        const job = await working.ask('GET', `/v1/jobs/${queued.body.job_id}`, { key });
        expect(job.body).toMatchObject({ status: 'completed' });
      } finally {
        await working.stop(1000);
      }
    } finally {
      await target.close();
    }
  });
});

describe('a restore is whole or not at all', () => {
  it('what was cut off or changed is refused, and the database stays as it was', async () => {
    await source.person(5_000_000n);
    const { path } = await makeBackup(source.runtime, { to: join(folder, 'good.backup'), files: false });
    const good = await readFile(path);
    const flip = (at: number) => Buffer.from(good.map((byte, n) => (n === at ? byte ^ 1 : byte)));
    // Behind the ten bytes of gzip's own head, of which some mean nothing.
    const flipped = Array.from({ length: 24 }, (_, n) => 10 + Math.floor(((good.length - 10) * n) / 24));
    const plain = gunzipSync(good).toString('latin1');
    // Packed anew by somebody who wants more credit: whole as gzip, but not as a backup.
    const richer = Buffer.from(plain.replace(/5000000/g, '9000000'), 'latin1');
    expect(richer.equals(Buffer.from(plain, 'latin1'))).toBe(false);
    const damaged = {
      cut: good.subarray(0, good.length - 500),
      half: good.subarray(0, good.length >> 1),
      empty: Buffer.alloc(0),
      ...Object.fromEntries(flipped.map((at) => [`flipped-${at}`, flip(at)])),
      richer: gzipSync(richer),
      text: Buffer.from('no backup at all'),
      other: gzipSync(Buffer.from('no backup at all')),
    };
    const target = await startTarget();
    const named = new Set<string | undefined>();
    try {
      for (const [name, bytes] of Object.entries(damaged)) {
        const file = join(folder, `${name}.backup`);
        await writeFile(file, bytes);
        // Proved before anything is written: no database is asked.
        const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing';
        const error = await restoreBackup(target.runtime, {
          from: file,
          databaseUrl,
          acceptOtherSecrets: false,
        }).catch(({ message }: Error) => message);
        expect(error, name).toMatch(
          /^(Nothing was restored: the file \S+ is damaged in the table [\w.]+|The backup \S+ cannot be used)\.? [^\n]+\.$/,
        );
        if (name === 'richer' || name.startsWith('flipped')) named.add(/table (\S+)\./.exec(`${error}`)?.[1]);
      }
      expect([...named].filter((table) => table?.startsWith('public.'))).not.toEqual([]);
      await expect(restore(target, join(folder, 'missing.backup'))).rejects.toThrow('ENOENT');
      // And the same database takes a good one.
      await restore(target, path);
      expect((await reconcile(target.runtime)).differences).toEqual([]);
    } finally {
      await target.close();
    }
  });

  it('one that names other tables than the gateway has, or leaves one out, writes nothing', async () => {
    const { path } = await makeBackup(source.runtime, { to: join(folder, 'true.backup'), files: false });
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

  it('one made with other secrets is refused, unless that is accepted', async () => {
    const { path } = await makeBackup(source.runtime, { to: join(folder, 'secrets.backup'), files: false });
    const target = await startTarget({ VAULT_KEY: randomBytes(32).toString('base64') });
    try {
      await expect(restore(target, path)).rejects.toThrow(/^VAULT_KEY differ/);
      await restore(target, path, true);
      expect(await countRows(target)).toBeGreaterThan(0);
    } finally {
      await target.close();
    }
  });

  it('a backup of an older version is brought to this one, a newer one is refused', async () => {
    const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS });
    const old = await createTestDatabase();
    const { sql, close } = connect(old.url, 1);
    const runtime = { ...source.runtime, settings: { ...source.runtime.settings, databaseUrl: old.url } };
    await inTransaction(old.url, '', async (tx) => {
      await dropSchemas(tx);
      await runMigrations(tx, migrations.slice(0, -2));
      await tx.query("insert into users (id, email, name) values ('usr_old', 'old@example.test', 'Old')");
    });
    const target = await startTarget();
    try {
      const older = await makeBackup(runtime, { to: join(folder, 'older.backup'), files: false });
      await restore(target, older.path);
      expect(await target.runtime.sql`select id from users`).toEqual([{ id: 'usr_old' }]);
      expect(await target.runtime.sql`select count(*)::int as n from imported_tools`).toEqual([{ n: 0 }]);

      await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`;
      const newer = await makeBackup(runtime, { to: join(folder, 'newer.backup'), files: false });
      const { sql: books } = target.runtime;
      await books`delete from users`;
      await expect(restore(target, newer.path)).rejects.toThrow('from a newer version');
      expect(await books`select id from users`).toEqual([]);
    } finally {
      await close();
      await target.close();
      await old.drop();
    }
  });

  it('a backup that cannot be written leaves nothing behind', async () => {
    const taken = join(folder, 'taken.backup');
    await writeFile(taken, 'precious');
    await expect(makeBackup(source.runtime, { to: taken, files: false })).rejects.toThrow('there already');
    expect(await readFile(taken, 'utf8')).toBe('precious');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
